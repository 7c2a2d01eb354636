/* Exchanges two names as fast as it can until it is told to end, then prints how often it did. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

static volatile sig_atomic_t ended;

static void end(int number) {
    (void)number;
    ended = 1;
}

int main(int count, char **words) {
    long swaps = 0;
    if (count != 4) return 2;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGTERM, end);
    signal(SIGALRM, end);
    alarm((unsigned)atoi(words[3]));
    while (!ended) {
        if (syscall(SYS_renameat2, AT_FDCWD, words[1], AT_FDCWD, words[2], RENAME_EXCHANGE) != 0) {
            perror("renameat2");
            return 77;
        }
        swaps++;
    }
    printf("%ld\n", swaps);
    return 0;
}
