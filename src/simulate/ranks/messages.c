#include "simulate/ranks/messages.h"

#include "simulate/ranks/arena.h"
#include "simulate/ranks/communicators.h"
#include "simulate/ranks/flights.h"
#include "simulate/ranks/state.h"
#include "simulate/ranks/watch.h"

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REFUSED 256  /* questions in a row */
#define PAUSE        1e-6 /* seconds */
#define AT_ONCE      64   /* mailboxes that are waited for */

/*
 * What travels. The content is a copy, since the sender may write to its own once the message has
 * left, which may be before the receiver's thread runs again. What comes from the shared arena is
 * not copied: it is zero.
 *
 * SimGrid hands a pointer to the parcel over. Inside its MPI, though, it hands over as many bytes
 * of what the pointer points to: so these are the same pointer.
 */
struct parcel {
    struct parcel *self;
    size_t bytes;
    int is_zero;
    unsigned char content[];
};

struct vl_message {
    struct vl_message *next, **link; /* those of the same thread */
    sg_comm_t comm;                  /* NULL once it is complete */
    sg_mailbox_t mailbox;            /* in which messages keep their order */
    unsigned long number;            /* counts all messages of this thread */
    struct parcel *parcel;           /* what was received */
    struct parcel *queued;           /* to be sent, once the one before it has arrived */
    long charged;                    /* bytes that its sending takes the time of */
    void *to;                        /* NULL: sent */
    size_t bytes;
    int peer, tag;
    int partner; /* the peer's rank in the world */
};

/* ---- posting ---- */

static int in_order;

void vl_in_order_set(int set)
{
    in_order = set;
}

static struct parcel *pack(const void *data, size_t bytes)
{
    int is_zero = vl_arena_is_shared(data);
    struct parcel *parcel = malloc(sizeof *parcel + (is_zero ? 0 : bytes));
    if (parcel == NULL)
        return NULL;
    parcel->self = parcel;
    parcel->bytes = bytes;
    parcel->is_zero = is_zero;
    if (!is_zero && bytes > 0)
        memcpy(parcel->content, data, bytes);
    return parcel;
}

static struct vl_message *begin(sg_mailbox_t mailbox, const struct vl_communicator *group, int peer,
                                int tag, size_t bytes)
{
    struct vl_speaker *speaker = vl_speaker();
    struct vl_message *message = calloc(1, sizeof *message);
    if (message == NULL)
        return NULL;
    *message = (struct vl_message){.next = speaker->messages,
                                   .link = &speaker->messages,
                                   .mailbox = mailbox,
                                   .number = speaker->posted++,
                                   .bytes = bytes,
                                   .peer = peer,
                                   .tag = tag,
                                   .partner = vl_communicator_world_rank(group, peer)};
    if (message->next != NULL)
        message->next->link = &message->next;
    speaker->messages = message;
    return message;
}

static void leave_list(struct vl_message *message)
{
    if (message->link == NULL)
        return;
    *message->link = message->next;
    if (message->next != NULL)
        message->next->link = message->link;
    message->link = NULL;
}

/* The first letter of an empty message takes as long as an empty message. */
static long length(double bytes)
{
    return bytes > 1 ? (long)bytes : 1;
}

static int is_open(const struct vl_message *message)
{
    return message->comm != NULL || message->queued != NULL;
}

/* Of the messages that this thread sends through a mailbox, the oldest; NULL if there is none. */
static struct vl_message *oldest_sent(sg_mailbox_t mailbox)
{
    struct vl_message *oldest = NULL;
    for (struct vl_message *m = vl_speaker()->messages; m != NULL; m = m->next)
        if (m->mailbox == mailbox && m->to == NULL && is_open(m) &&
            (oldest == NULL || m->number < oldest->number))
            oldest = m;
    return oldest;
}

static void depart(struct vl_message *message, struct parcel *parcel)
{
    message->queued = NULL;
    message->comm = sg_mailbox_put_async(message->mailbox, parcel, message->charged);
}

int vl_message_send(struct vl_message **message, MPI_Comm comm, const void *data, size_t bytes,
                    int to, int tag)
{
    struct vl_communicator *group = vl_communicator_of(comm);
    *message = NULL;
    if (group == NULL)
        return MPI_ERR_COMM;
    if (to < 0 || to >= group->size)
        return MPI_ERR_RANK;
    sg_mailbox_t mailbox = vl_communicator_outbox(group, to, tag);
    struct parcel *parcel = pack(data, bytes);
    struct vl_message *new = parcel != NULL ? begin(mailbox, group, to, tag, bytes) : NULL;
    if (new == NULL) {
        free(parcel);
        return MPI_ERR_NO_MEM;
    }
    new->charged =
        length(vl_sent_count(vl_communicator_world_rank(group, group->rank),
                             vl_communicator_world_rank(group, to), bytes, parcel->is_zero));
    /* A thread that does other things as well could not let the next one depart in time. */
    if (in_order && vl_speaker()->will_wait > 0 && oldest_sent(mailbox) != NULL)
        new->queued = parcel;
    else
        depart(new, parcel);
    *message = new;
    return MPI_SUCCESS;
}

int vl_message_receive(struct vl_message **message, MPI_Comm comm, void *data, size_t bytes,
                       int from, int tag)
{
    static unsigned char nothing;
    struct vl_communicator *group = vl_communicator_of(comm);
    *message = NULL;
    if (group == NULL)
        return MPI_ERR_COMM;
    if (from < 0 || from >= group->size)
        return MPI_ERR_RANK;
    sg_mailbox_t mailbox = vl_communicator_inbox(group, from, tag);
    struct vl_message *new = begin(mailbox, group, from, tag, bytes);
    if (new == NULL)
        return MPI_ERR_NO_MEM;
    new->to = data != NULL ? data : &nothing;
    new->comm = sg_mailbox_get_async(mailbox, (void **)&new->parcel);
    *message = new;
    return MPI_SUCCESS;
}

/* ---- completion ---- */

static void unpack(struct vl_message *message)
{
    struct parcel *parcel = message->parcel;
    message->bytes = parcel->bytes < message->bytes ? parcel->bytes : message->bytes;
    if (!vl_arena_is_shared(message->to) && message->bytes > 0) {
        if (parcel->is_zero)
            memset(message->to, 0, message->bytes);
        else
            memcpy(message->to, parcel->content, message->bytes);
    }
    free(parcel);
    message->parcel = NULL;
}

static void complete(struct vl_message *message)
{
    message->comm = NULL;
    leave_list(message);
    vl_watch_progress();
    struct vl_message *next = message->to == NULL ? oldest_sent(message->mailbox) : NULL;
    if (next != NULL && next->queued != NULL)
        depart(next, next->queued);
    if (message->to != NULL && message->parcel != NULL)
        unpack(message);
}

/* Of the messages in one mailbox only the oldest need be waited for: they arrive in order. */
static int keep_oldest(int *kept, int n, struct vl_message *const *messages, int i)
{
    for (int k = 0; k < n; k++)
        if (messages[kept[k]]->mailbox == messages[i]->mailbox) {
            if (messages[i]->number < messages[kept[k]]->number)
                kept[k] = i;
            return n;
        }
    if (n < AT_ONCE)
        kept[n++] = i;
    return n;
}

/* What has to arrive first: itself, unless it is queued. */
static struct vl_message *leader(struct vl_message *message)
{
    return message->queued != NULL ? oldest_sent(message->mailbox) : message;
}

int vl_message_wait_any(struct vl_message *const *messages, int count_)
{
    sg_comm_t comms[AT_ONCE];
    int kept[AT_ONCE], n = 0;
    for (int i = 0; i < count_; i++) {
        if (messages[i] != NULL && !is_open(messages[i]))
            return i;
        if (messages[i] != NULL)
            n = keep_oldest(kept, n, messages, i);
    }
    struct vl_speaker *speaker = vl_speaker();
    speaker->refused = 0;
    if (n == 0)
        return -1;
    vl_flights_launch(); /* this rank waits: what it has started must go on meanwhile */
    for (;;) {
        struct vl_message *leaders[AT_ONCE];
        for (int k = 0; k < n; k++) {
            leaders[k] = leader(messages[kept[k]]);
            comms[k] = leaders[k]->comm;
        }
        speaker->waited = leaders[0];
        ssize_t first = sg_comm_wait_any(comms, (size_t)n);
        speaker->waited = NULL;
        if (first < 0)
            return -1;
        complete(leaders[first]);
        if (leaders[first] == messages[kept[first]])
            return kept[first];
    }
}

/* Let time pass for a thread that only asks. A thread that speaks for a rank waits for one of its
 * messages; a rank itself may be asking for other things, too. */
static void pass_time(struct vl_speaker *speaker)
{
    struct vl_message *open[AT_ONCE];
    int n = 0;
    speaker->refused = 0;
    for (struct vl_message *m = speaker->messages; m != NULL && n < AT_ONCE; m = m->next)
        open[n++] = m;
    if (speaker->rank->flights == NULL || speaker != &speaker->rank->speaker)
        vl_message_wait_any(open, n);
    else
        sg_actor_sleep_for(PAUSE);
}

/* A test that succeeds leaves something behind in SimGrid 3.32, and a wait does not. So a thread
 * that will wait in any case is told no. */
int vl_message_is_complete(struct vl_message *message)
{
    struct vl_speaker *speaker = vl_speaker();
    if (!is_open(message))
        return 1;
    if (speaker->refused++ >= MOST_REFUSED)
        pass_time(speaker);
    if (message->comm != NULL && !speaker->will_wait && sg_comm_test(message->comm))
        complete(message);
    if (!is_open(message))
        speaker->refused = 0;
    return !is_open(message);
}

bool vl_message_waited(struct vl_wait *wait, const struct vl_speaker *speaker)
{
    const struct vl_message *message = speaker->waited;
    if (message != NULL)
        *wait = (struct vl_wait){message->partner, message->tag, message->to != NULL};
    return message != NULL;
}

void vl_message_close(struct vl_message *message, MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE)
        *status = (MPI_Status){.MPI_SOURCE = message->peer,
                               .MPI_TAG = message->tag,
                               .MPI_ERROR = MPI_SUCCESS,
                               .count = (int)message->bytes};
    free(message);
}
