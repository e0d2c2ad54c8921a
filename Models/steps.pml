/* Asks the rules of facts.pml everything that can be asked about one attempt of at most two rounds, and prints each step
   that they allow. Scripts/model --steps makes steps.txt of it; README.md explains the lines. */
#define A 1
#define G 2
#include "facts.pml"

byte state;
c_decl {
    static char factsBefore[64], factsAfter[64];
}
c_code {
    static char *facts(char *text)
    {
        char *t = text;
        int g, e, k, late;
        if (now.nr == 0) *t++ = '-';
        for (g = 0; g < now.nr; g++) {
            if (g > 0) *t++ = '/';
            for (e = 0; e < 2; e++) *t++ = ".oglsa"[now.snd[2 * g + e]];
            *t++ = "rotp"[now.ended[g]];
            *t++ = now.w[g] & 128 ? '+' : '-';
            /* What is pending since the proof stands behind it. */
            late = (now.w[g] & 32768) && (now.w[g] & 8) && !(now.w[g] & 2);
            for (k = 0; k < 5; k++) {
                if (k == 4 && late) *t++ = 'P';
                if ((now.w[g] & (1 << k)) && !(k == 2 && late)) *t++ = "MDPNH"[k];
            }
            for (k = 0; k < 2; k++) /* only where no lookup exists */
                if (now.w[g] & (4096 << k)) *t++ = "12"[k];
        }
        if (now.contra[0]) *t++ = ',', *t++ = 'c';
        *t = 0;
        return text;
    }
    static void printed(const char *event)
    {
        static const char *states[] = {"", "running", "inDoubt", "pending", "declined", "notExecuted", "approved"};
        printf("STEP %s %s %s %s\n", factsBefore, event, facts(factsAfter), states[now.state]);
        now.state = 0;
    }
}
/* That a contradiction was raised is shown where an event raises it, and changes nothing afterwards. */
#define before c_code { now.contra[0] = 0; facts(factsBefore); }
#define after(event) \
    state = (isMoved(0) -> 6 : (isNot(0) -> 5 : (isDeclined(0) -> 4 : \
        (ended[last[0]] == RUNS -> 1 : (isPending(0) -> 3 : 2))))); \
    c_code { printed(event); }
#define n last[0]
/* What was said to have moved stays so, whatever follows: nothing is asked of it but what a person and a caller add. */
#define begun (nr > 0 && !has(0, MOVED) && !has(1, MOVED))
#define runs (begun && ended[n] == RUNS)
#define over (begun && ended[n] != RUNS)
#define fresh (nr == 0 || begun && nr < G && mayBegin(0))
/* The round that a look is about: the newest, or, if that is not in doubt, an older one that is pending. */
#define asksOlder (nr > 1 && olderPending(0) && !unresolved(n))
/* A round that may have executed something although another one is said to have moved. */
#define isUnsure(g) (!has(g, PMOVED) && (stillPending(g) || (g) == n && unresolved(n)))
#define hasHiddenDoubt (nr > 1 && isMoved(0) && (isUnsure(0) || isUnsure(1)))
/* An older round is ended and proven not executed; which proof that was makes no difference to what follows. */
inline older() {
    if
    :: nr > 1 ->
        ended[0] = OWNER;
        w[0] = 0;
        snd[0] = SAFE;
        snd[1] = NONE
    :: else
    fi
}
/* A send of the newest round: opened by its owner while a caller waits; closed by the process that held its connection. */
#define sends(e, open1, again1, safe1, lost1, moved1, declined1, pending1, more1) \
    :: d_step { runs && (e == 0 || snd[2 * n] != NONE) && snd[2 * n + e] != LOST && snd[2 * n + e] != ANSW && \
        (e == 1 || snd[2 * n + 1] == NONE) && mayOpen(n, e, 0, 1) -> before; open(n, e); after(open1) } \
    :: d_step { runs && snd[2 * n + e] == LOST && mayOpen(n, e, 0, 1) -> before; open(n, e); after(again1) } \
    :: d_step { begun && under(2 * n + e) -> before; close(n, e, SAFE); after(safe1) } \
    :: d_step { begun && under(2 * n + e) -> before; close(n, e, LOST); after(lost1) } \
    :: d_step { begun && (under(2 * n + e) || snd[2 * n + e] == LOST) -> before; close(n, e, ANSW); sayMoved(n); after(moved1) } \
    :: d_step { begun && (under(2 * n + e) || snd[2 * n + e] == LOST) -> before; close(n, e, ANSW); say(n, DECLINED); after(declined1) } \
    :: d_step { begun && (under(2 * n + e) || snd[2 * n + e] == LOST) -> before; close(n, e, ANSW); sayPending(n); after(pending1) } \
    :: d_step { begun && (under(2 * n + e) || snd[2 * n + e] == LOST) -> before; close(n, e, ANSW); after(more1) }

/* A person's word answers all that is known to be pending. */
inline personNever() {
    prove(n);
    if
    :: nr > 1 && oldPending(0, 0) -> w[0] = w[0] & PMOVED
    :: else
    fi
}
/* A person's "executed" is about the round that a look is about, and contradicts what was believed. */
inline personMoved() {
    subject = 0;
    if
    :: asksOlder -> contra[0] = 1; say(0, PMOVED)
    :: else ->
        if
        :: saysNo(0) -> contra[0] = 1
        :: else
        fi;
        say(n, PMOVED)
    fi
}

active proctype Actor() {
end:
    do
    /* A round begins with its first request, or with an end that needed none. */
    :: d_step { fresh -> before; begin(0, 0); open(n, 0); older(); after("run") }
    :: d_step { fresh -> before; begin(0, 0); ended[n] = OWNER; older(); after("run.cancelled") }
    :: d_step { fresh -> before; begin(0, 0); ended[n] = OWNER; say(n, DECLINED); older(); after("run.declined") }
    :: d_step { fresh -> before; begin(0, 0); ended[n] = OWNER; say(n, MOVED); older(); after("run.moved") }
    sends(0, "open.1", "again.1", "safe.1", "lost.1", "answer.1.moved", "answer.1.declined", "answer.1.pending", "answer.1.more")
    sends(1, "open.2", "again.2", "safe.2", "lost.2", "answer.2.moved", "answer.2.declined", "answer.2.pending", "answer.2.more")
    :: d_step { runs && !under(2 * n) && !under(2 * n + 1) -> before; ended[n] = OWNER; after("end.owner") }
    :: d_step { runs -> before; ended[n] = TAKEN; after("end.takeOver") }
    :: d_step { runs && (under(2 * n) || under(2 * n + 1)) -> before; ended[n] = PERSON; after("end.person") }
#ifndef NO_LOOKUP
    /* By a look; a "no" only if it counts. */
    :: d_step { begun && !asksOlder -> before; sayMoved(n); after("look.moved") }
    :: d_step { begun && !asksOlder -> before; sayPending(n); after("look.pending") }
    :: d_step { over && isOpen(0) && !asksOlder -> before; say(n, DECLINED); prove(n); after("look.declined") }
    :: d_step { over && isOpen(0) && !asksOlder && !has(n, PENDING) -> before; prove(n); after("look.never") }
    :: d_step { begun && asksOlder -> before; sayMoved(0); after("look.moved") }
    :: d_step { begun && asksOlder -> before; sayPending(0); after("look.pending") }
    :: d_step { over && isOpen(0) && asksOlder -> before; w[0] = DECLINED; after("look.declined") }
#endif
    /* By a webhook. */
    :: d_step { begun -> before; sayMoved(n); after("notice.moved") }
    :: d_step { begun && nr > 1 -> before; sayMoved(0); after("notice.moved.older") }
    :: d_step { begun -> before; sayPending(n); after("notice.pending") }
    :: d_step { begun && nr > 1 && !isRefused(0) -> before; sayPending(0); after("notice.pending.older") }
#ifdef NO_LOOKUP
    :: d_step { begun && snd[2 * n] != NONE -> before; sayDeclinedBy(n, 0); after("notice.declined.1") }
    :: d_step { begun && snd[2 * n + 1] != NONE -> before; sayDeclinedBy(n, 1); after("notice.declined.2") }
    :: d_step { begun -> before; sayDeclinedBy(n, 2); after("notice.declined.attempt") }
#endif
    /* By a person, of an ended round; and his own word withdrawn. */
    :: d_step { over && !isMoved(0) -> before; personMoved(); after("person.moved") }
    :: d_step { over && (isOpen(0) || hasHiddenDoubt) -> before; personNever(); after("person.never") }
    :: d_step { begun && has(n, PMOVED) -> before; unsay(n, PMOVED); after("person.withdraws") }
    :: d_step { begun && nr > 1 && has(0, PMOVED) -> before; unsay(0, PMOVED); after("person.withdraws") }
    od
}
