/* Rule 23: adjustments whose word carries the new total. Two of them, executed in some order, answered in another. */
#ifndef TIMED
#define TIMED 1 /* the provider's answers carry its own time */
#endif
#define NEW 0
#define OPEN 1
#define DONE 2
byte life[2], at[2]; /* at: the provider's time of its word, as the journal has it */
byte clock, total = 1, executedAt[2];
bit wire[2];
bit doubtful;        /* two totals and nothing that orders them: looked up before any caller gets one */
byte looked;         /* what the look said */

hidden byte SAME_TOTAL;
#define asks(i) (2 + i)
#if defined(TOTAL_BY_ARRIVAL)
byte arrived;
#define later(i, j) (arrived == 1 + (i))
#elif defined(TOTAL_BY_BEGIN) /* the order in which they were begun */
byte first;
#define later(i, j) (first != 1 + (i))
#elif defined(TOTAL_LARGEST)
#define later(i, j) (i > j)
#else
#define later(i, j) (at[i] > at[j])
#endif
#define holds(i) (life[i] == DONE && (life[1 - i] != DONE || later(i, 1 - i)))
#define known (looked -> looked : (holds(0) -> asks(0) : (holds(1) -> asks(1) : 1)))

proctype Adjust(byte i) {
    atomic {
        life[i] = OPEN;
        wire[i] = 1;
#ifdef TOTAL_BY_BEGIN
        first = (first == 0 -> 1 + i : first)
#endif
    };
    atomic { /* its answer, a webhook or a look: whenever it comes */
        executedAt[i] ->
        life[i] = DONE;
        at[i] = (TIMED -> executedAt[i] : 0);
#ifdef TOTAL_BY_ARRIVAL
        arrived = 1 + i;
#endif
#ifndef TOTAL_GUESSED /* without an order one of the two is taken */
        doubtful = (!TIMED && life[1 - i] == DONE -> 1 : doubtful)
#endif
    }
}
active proctype Provider() {
    byte i;
end:
    do
    :: atomic {
        if
        :: wire[0] -> i = 0
        :: wire[1] -> i = 1
        fi;
        wire[i] = 0;
        clock++;
        executedAt[i] = clock;
        total = asks(i);
        i = 0
    }
    od
}
active proctype Look() {
end:
    do
    :: atomic { doubtful -> looked = total; doubtful = 0 }
    od
}
init {
    atomic { run Adjust(0); run Adjust(1) };
end:
    do
    :: d_step { life[0] == DONE && life[1] == DONE && !doubtful && known != total -> assert(SAME_TOTAL) }
    od
}
