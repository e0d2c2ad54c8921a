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
        int g, e, k;
        if (now.nr == 0) *t++ = '-';
        for (g = 0; g < now.nr; g++) {
            if (g > 0) *t++ = '/';
            for (e = 0; e < 2; e++) *t++ = ".oglsa"[now.snd[2 * g + e]];
            *t++ = "rotp"[now.ended[g]];
            *t++ = now.w[g] & 128 ? '+' : '-';
            for (k = 0; k < 5; k++)
                if (now.w[g] & (1 << k)) *t++ = "MDPNH"[k];
        }
        if (now.told[0]) *t++ = ',', *t++ = 't';
        if (now.contra[0]) *t++ = ',', *t++ = 'c';
        *t = 0;
        return text;
    }
    static void printed(const char *event)
    {
        static const char *states[] = {"", "underWay", "inDoubt", "pending", "declined", "notMoved", "moved"};
        printf("STEP %s %s %s %s\n", factsBefore, event, facts(factsAfter), states[now.state]);
        now.state = 0;
    }
}
#define before c_code { facts(factsBefore); }
#define after(event) \
    state = (isMoved(0) -> 6 : (isNot(0) -> 5 : (isDeclined(0) -> 4 : \
        (isPending(0) -> 3 : (ended[last[0]] != RUNS -> 2 : 1))))); \
    c_code { printed(event); }
#define n last[0]
/* What was said to have moved stays so, whatever follows: nothing is asked of it but what a person and a caller add. */
#define begun (nr > 0 && !has(0, MOVED) && !has(1, MOVED))
#define runs (begun && ended[n] == RUNS)
#define over (begun && ended[n] != RUNS)
#define opened (begun && snd[2 * n] != NONE)
/* An older round is ended and proven not executed; which proof that was makes no difference to what follows. */
inline older() {
    ended[0] = OWNER;
    w[0] = 0;
    snd[0] = SAFE;
    snd[1] = NONE
}
/* A send of the newest round: opened by its owner while somebody waits; closed by whoever held its connection. */
#define sends(e, open1, again1, safe1, lost1, moved1, declined1, pending1, more1) \
    :: d_step { runs && (e == 0 || snd[2 * n] != NONE) && snd[2 * n + e] != LOST && snd[2 * n + e] != ANSW && \
        (e == 1 || snd[2 * n + 1] == NONE) && mayOpen(n, e, 0, 1) -> before; open(n, e); after(open1) } \
    :: d_step { runs && snd[2 * n + e] == LOST && mayOpen(n, e, 0, 1) -> before; open(n, e); after(again1) } \
    :: d_step { begun && under(2 * n + e) -> before; close(n, e, SAFE); after(safe1) } \
    :: d_step { begun && under(2 * n + e) -> before; close(n, e, LOST); after(lost1) } \
    :: d_step { begun && doubtful(2 * n + e) -> before; close(n, e, ANSW); sayMoved(n); after(moved1) } \
    :: d_step { begun && doubtful(2 * n + e) -> before; close(n, e, ANSW); say(n, DECLINED); after(declined1) } \
    :: d_step { begun && doubtful(2 * n + e) -> before; close(n, e, ANSW); say(n, PENDING); after(pending1) } \
    :: d_step { begun && doubtful(2 * n + e) -> before; close(n, e, ANSW); after(more1) }

active proctype Anybody() {
end:
    do
    :: d_step { nr == 0 -> before; begin(0, 0); after("round") }
    :: d_step { begun && nr < G && mayBegin(0) -> before; begin(0, 0); after("round"); older() }
    sends(0, "open.1", "again.1", "safe.1", "lost.1", "answer.1.moved", "answer.1.declined", "answer.1.pending", "answer.1.more")
    sends(1, "open.2", "again.2", "safe.2", "lost.2", "answer.2.moved", "answer.2.declined", "answer.2.pending", "answer.2.more")
    :: d_step { runs && !under(2 * n) && !under(2 * n + 1) -> before; ended[n] = OWNER; after("end.owner") }
    :: d_step { runs -> before; ended[n] = TAKEN; after("end.takeOver") }
    :: d_step { runs && (under(2 * n) || under(2 * n + 1)) -> before; ended[n] = PERSON; after("end.person") }
    /* Of the newest round by a look; a "no" only if it counts. */
    :: d_step { opened && isOpen(0) -> before; sayMoved(n); after("look.moved") }
    :: d_step { opened && isOpen(0) -> before; say(n, PENDING); after("look.pending") }
    :: d_step { over && isOpen(0) -> before; say(n, DECLINED | NEVER); after("look.declined") }
    :: d_step { over && isOpen(0) && !has(n, PENDING) -> before; say(n, NEVER); after("look.never") }
    /* By a webhook; what names another send than the last, or the attempt of several sends, is a hint. */
    :: d_step { opened -> before; sayMoved(n); after("notice.moved") }
    :: d_step { begun && nr > 1 -> before; sayMoved(0); after("notice.moved.older") }
    :: d_step { begun && !isMoved(0) && concludes(n, 0) && snd[2 * n] != NONE -> before; sayDeclinedBy(n, 0); after("notice.declined.1") }
    :: d_step { begun && !isMoved(0) && concludes(n, 1) && snd[2 * n + 1] != NONE -> before; sayDeclinedBy(n, 1); after("notice.declined.2") }
    :: d_step { begun && !isMoved(0) && concludes(n, 2) -> before; sayDeclinedBy(n, 2); after("notice.declined.attempt") }
    /* By a person, of an ended round that is open; and his own word withdrawn. */
    :: d_step { over && isOpen(0) && opened -> before; say(n, PMOVED); after("person.moved") }
    :: d_step { over && isOpen(0) -> before; say(n, NEVER); after("person.never") }
    :: d_step { begun && has(n, PMOVED) -> before; unsay(n, PMOVED); after("person.withdraws") }
    :: d_step { nr > 0 && isMoved(0) && !told[0] -> before; told[0] = 1; after("told") }
    od
}
