/* Rule 6 between machines: who is proven gone. A round is taken over when its owner's session has let go of the lock and
   the heartbeat is older than the lease by the database's clock; an owner opens nothing once its own last heartbeat is
   older than half the lease, by a clock that counts sleep. The fence (the open is refused in an ended round) and this
   proof back each other up: no send is opened after the take-over with either of them alone. */
#define LEASE 4
#define HALF 2
#define WRITE 1  /* an open takes at most so long from the check to the row */
#ifndef PAUSES
#define PAUSES 1 /* the process, or its machine, sleeps */
#endif
#ifndef PAUSED_IN_WRITE
#define PAUSED_IN_WRITE 0 /* also between the check and the write, which only the fence survives */
#endif
byte beaten;     /* since the heartbeat in the table, by the database's clock */
byte own;        /* since the owner sent it, by its own clock */
bit lock = 1, asleep, dead, taken, checking;
byte writing, pauses;
hidden byte NOTHING_AFTER_TAKEOVER;

#ifdef NO_LOCK
#define letGo true
#else
#define letGo (!lock)
#endif
#ifdef NO_LEASE
#define expired true
#else
#define expired (beaten > LEASE)
#endif
#ifdef NO_HALF
#define sure true
#else
#define sure (own <= HALF)
#endif
#ifdef NO_FENCE
#define fence false
#else
#define fence taken
#endif

active proctype Owner() {
    bit answered;
end:
    do
    :: atomic { !asleep && !dead && !taken -> beaten = 0; own = 0 } /* the heart beats, on a connection of its own */
    :: atomic { !asleep && !dead && sure -> checking = 1; writing = WRITE };
        atomic {
            !asleep ->
            if
            :: !fence -> assert(NOTHING_AFTER_TAKEOVER || !taken)
            :: fence
            fi;
            checking = 0;
            writing = 0
        }
    :: atomic { !asleep && !dead -> dead = 1; lock = 0; goto gone }
    od;
gone:
    skip
}
active proctype World() {
end:
    do
#ifndef STEADY /* its session breaks only when it dies */
    :: atomic { lock -> lock = 0 } /* the session breaks, its owner may not notice */
#endif
    :: atomic { !lock && !asleep && !dead && !taken -> lock = 1 }
    :: atomic { pauses < PAUSES && !asleep && !dead && (PAUSED_IN_WRITE || !checking) -> pauses++; asleep = 1 }
    :: atomic { asleep -> asleep = 0 }
    :: d_step { /* a tick; an open is not slower than WRITE unless its process sleeps */
        !checking || writing > 0 || asleep ->
        beaten = (beaten > LEASE -> beaten : beaten + 1);
#if defined(SLOW_CLOCK) /* the owner's clock stands still */
        own = own;
#elif defined(SLEEP_UNCOUNTED)
        own = (own > LEASE || asleep -> own : own + 1);
#else
        own = (own > LEASE -> own : own + 1);
#endif
        writing = (writing > 0 -> writing - 1 : 0)
    }
    od
}
active proctype Taker() {
end:
    do
    :: atomic { !taken && letGo && expired -> taken = 1 }
    od
}
