/* Lets one call of the C library fail, the n-th of its kind, as a failing disk or a poor machine would;
   or exchanges two names before it, as an attacker would who knows the moment. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, OPEN, FSTAT, STAT, PREAD, READDIR, READLINK, ANY };
static int kind, number, nth, again, seen;
static const char *one, *other;

void fault_arm(int which, int error, int count) { kind = which; number = error; nth = count; seen = 0; }
int fault_disarm(void) { kind = NONE; return seen; }

long fault_exchange(const char *here, const char *there) {
    return syscall(SYS_renameat2, AT_FDCWD, here, AT_FDCWD, there, 2);
}

void fault_arm_exchange(const char *here, const char *there, int first, int second) {
    kind = ANY; one = here; other = there; nth = first; again = second; seen = 0;
}

static int strikes(int which) {
    if (kind == ANY) {
        seen++;
        if (seen == nth || seen == again) fault_exchange(one, other);
        return 0;
    }
    if (kind != which || ++seen != nth) return 0;
    errno = number;
    return 1;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)
#define MODE mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE REAL(open); return strikes(OPEN) ? -1 : real(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE REAL(open64); return strikes(OPEN) ? -1 : real(path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE REAL(openat); return strikes(OPEN) ? -1 : real(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE REAL(openat64); return strikes(OPEN) ? -1 : real(at, path, flags, mode); }
int fstat(int at, struct stat *found) { REAL(fstat); return strikes(FSTAT) ? -1 : real(at, found); }
int fstat64(int at, struct stat64 *found) { REAL(fstat64); return strikes(FSTAT) ? -1 : real(at, found); }
int stat(const char *path, struct stat *found) { REAL(stat); return strikes(STAT) ? -1 : real(path, found); }
int stat64(const char *path, struct stat64 *found) { REAL(stat64); return strikes(STAT) ? -1 : real(path, found); }
int lstat(const char *path, struct stat *found) { REAL(lstat); return strikes(STAT) ? -1 : real(path, found); }
int lstat64(const char *path, struct stat64 *found) { REAL(lstat64); return strikes(STAT) ? -1 : real(path, found); }
int fstatat(int at, const char *path, struct stat *found, int flags) { REAL(fstatat); return strikes(STAT) ? -1 : real(at, path, found, flags); }
int fstatat64(int at, const char *path, struct stat64 *found, int flags) { REAL(fstatat64); return strikes(STAT) ? -1 : real(at, path, found, flags); }
ssize_t pread(int at, void *to, size_t size, off_t from) { REAL(pread); return strikes(PREAD) ? -1 : real(at, to, size, from); }
ssize_t pread64(int at, void *to, size_t size, off64_t from) { REAL(pread64); return strikes(PREAD) ? -1 : real(at, to, size, from); }
ssize_t preadv(int at, const struct iovec *to, int count, off_t from) { REAL(preadv); return strikes(PREAD) ? -1 : real(at, to, count, from); }
ssize_t preadv64(int at, const struct iovec *to, int count, off64_t from) { REAL(preadv64); return strikes(PREAD) ? -1 : real(at, to, count, from); }
struct dirent *readdir(DIR *at) { REAL(readdir); return strikes(READDIR) ? NULL : real(at); }
struct dirent64 *readdir64(DIR *at) { REAL(readdir64); return strikes(READDIR) ? NULL : real(at); }
ssize_t readlink(const char *path, char *to, size_t size) { REAL(readlink); return strikes(READLINK) ? -1 : real(path, to, size); }
ssize_t readlinkat(int at, const char *path, char *to, size_t size) { REAL(readlinkat); return strikes(READLINK) ? -1 : real(at, path, to, size); }

long syscall(long which, ...) {
    long a, b, c, d, e, f;
    va_list list;
    REAL(syscall);
    va_start(list, which);
    a = va_arg(list, long); b = va_arg(list, long); c = va_arg(list, long);
    d = va_arg(list, long); e = va_arg(list, long); f = va_arg(list, long);
    va_end(list);
    if (which == 437 && strikes(OPEN)) return -1;
    return real(which, a, b, c, d, e, f);
}
