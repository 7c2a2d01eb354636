/* Exchanges two names in bursts, as fast as it can, until it is told to end, then prints how often it did.
   Between bursts it rests for a random time: it leaves the processor to those it attacks, and is woken in their midst. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

#define BURST 9 /* an odd number: what stands there in between is now the one and now the other */

static volatile sig_atomic_t ended;

static void end(int number) {
    (void)number;
    ended = 1;
}

static void rest(long most) {
    struct timespec time = {0, most ? random() % most : 0};
    if (most) nanosleep(&time, NULL);
}

int main(int count, char **words) {
    long swaps = 0;
    if (count != 5) return 2;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_TIMERSLACK, 1L);
    signal(SIGTERM, end);
    signal(SIGALRM, end);
    alarm((unsigned)atoi(words[3]));
    while (!ended) {
        if (syscall(SYS_renameat2, AT_FDCWD, words[1], AT_FDCWD, words[2], RENAME_EXCHANGE) != 0) {
            perror("renameat2");
            return 77;
        }
        if (++swaps % BURST == 0) rest(atol(words[4]));
    }
    printf("%ld\n", swaps);
    return 0;
}
