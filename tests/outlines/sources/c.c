#include <stdio.h>

#define LIMIT 10
#define SQUARE(x) ((x) * (x))

typedef struct {
    int x;
    int y;
} point;

struct item {
    char *name;
};

enum colour { RED, GREEN };

static const int most = 3;

/* Adds. */
static int add(int a,
               int b)
{
    return a + b;
}

char *name_of(struct item *it) {
    return it->name;
}

int declared(int x);
