// The minimum work for relaying TCP, as the reference for the edge's relay: one thread with epoll,
// recv into one shared buffer, send to the other side. A slow receiver stops the reading of its
// sender. No routing, counters or deadlines.
//
// With "handover" it works in two processes, as the edge does: one accepts, reads the first bytes and
// connects to the backend, and hands both connections over to the other, which forwards.
//
//   relay <port> <backend port> [handover]
#include "../load/common.h"
#include <sched.h>
#include <sys/prctl.h>

#define BUFFER_BYTES (256 * 1024)

typedef struct {
  int fd;
  uint32_t events;
  // Bytes for this side that the kernel has not taken yet.
  unsigned char *pending;
  size_t pending_start, pending_end;
  // The peer has ended its direction; the other side has been told.
  int has_ended, is_shut;
} Side;

typedef struct Pair {
  Side sides[2];
  struct Pair *next_closed;
} Pair;

// Players of one message: two descriptors each, and the kernel passes 253 at a time.
#define PLAYERS_PER_MESSAGE 64
#define FIRST_BYTES 512

typedef struct {
  int fds[2 * PLAYERS_PER_MESSAGE];
  struct {
    uint32_t length;
    unsigned char bytes[FIRST_BYTES];
  } first[PLAYERS_PER_MESSAGE];
  int count;
  uint64_t began_us;
} Players;

static int epoll, backend_port, listener, channel = -1;
static Players players;
static unsigned char buffer[BUFFER_BYTES];
// The event's data is the address of the pair, with the number of the side in its lowest bit.
static Pair *closed;

static uint64_t tag(Pair *pair, int side) { return (uint64_t)(uintptr_t)pair | (uint64_t)side; }

static void want(Pair *pair, int side) {
  Side *own = &pair->sides[side], *other = &pair->sides[1 - side];
  uint32_t events = 0;
  if (!own->has_ended && other->pending == NULL) events |= EPOLLIN;
  if (own->pending != NULL) events |= EPOLLOUT;
  if (events == own->events) return;
  own->events = events;
  watch(epoll, EPOLL_CTL_MOD, own->fd, events, tag(pair, side));
}

// Freed after the turn, because later events of the turn may name the pair.
static void drop(Pair *pair) {
  if (pair->sides[0].fd < 0) return;
  for (int side = 0; side < 2; side++) {
    // While the other process has not closed its descriptor yet, closing this one ends no events.
    if (channel >= 0) epoll_ctl(epoll, EPOLL_CTL_DEL, pair->sides[side].fd, NULL);
    close(pair->sides[side].fd);
    free(pair->sides[side].pending);
    pair->sides[side].fd = -1;
  }
  pair->next_closed = closed;
  closed = pair;
}

// Passes an end on once nothing is pending. True when the pair continues.
static int pass_end(Pair *pair, int from) {
  Side *to = &pair->sides[1 - from];
  if (!pair->sides[from].has_ended || to->pending != NULL || to->is_shut) return 1;
  shutdown(to->fd, SHUT_WR);
  to->is_shut = 1;
  if (!pair->sides[from].is_shut) return 1;
  drop(pair);
  return 0;
}

static void readable(Pair *pair, int side) {
  Side *from = &pair->sides[side], *to = &pair->sides[1 - side];
  ssize_t n = recv(from->fd, buffer, BUFFER_BYTES, 0);
  if (n < 0) {
    if (errno != EAGAIN) drop(pair);
    return;
  }
  if (n == 0) {
    from->has_ended = 1;
    if (pass_end(pair, side)) want(pair, side);
    return;
  }
  ssize_t sent = send(to->fd, buffer, (size_t)n, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) return drop(pair);
  if (sent < 0) sent = 0;
  if (sent == n) return;
  to->pending_start = 0;
  to->pending_end = (size_t)(n - sent);
  to->pending = malloc(to->pending_end);
  memcpy(to->pending, buffer + sent, to->pending_end);
  want(pair, side);
  want(pair, 1 - side);
}

static void writable(Pair *pair, int side) {
  Side *to = &pair->sides[side];
  size_t left = to->pending_end - to->pending_start;
  ssize_t n = send(to->fd, to->pending + to->pending_start, left, MSG_NOSIGNAL);
  if (n < 0) {
    if (errno != EAGAIN) drop(pair);
    return;
  }
  to->pending_start += (size_t)n;
  if (to->pending_start < to->pending_end) return;
  free(to->pending);
  to->pending = NULL;
  if (!pass_end(pair, 1 - side)) return;
  want(pair, side);
  want(pair, 1 - side);
}

static void begin(int player, int backend) {
  Pair *pair = calloc(1, sizeof *pair);
  pair->sides[0].fd = player;
  pair->sides[1].fd = backend;
  for (int side = 0; side < 2; side++) {
    pair->sides[side].events = EPOLLIN;
    watch(epoll, EPOLL_CTL_ADD, pair->sides[side].fd, EPOLLIN, tag(pair, side));
  }
}

static void accept_all(void) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    // On loopback the connection is open at once; a send before that waits as pending bytes.
    begin(fd, connect_from(htonl(INADDR_LOOPBACK), backend_port));
  }
}

static struct msghdr message_of(struct iovec *part, void *control, size_t bytes) {
  return (struct msghdr){
      .msg_iov = part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = bytes};
}

static union {
  struct cmsghdr align;
  char bytes[CMSG_SPACE(sizeof players.fds)];
} control;

static void hand_over(void) {
  if (players.count == 0) return;
  size_t fd_bytes = (size_t)(2 * players.count) * sizeof(int);
  struct iovec part = {players.first, (size_t)players.count * sizeof players.first[0]};
  struct msghdr message = message_of(&part, control.bytes, CMSG_SPACE(fd_bytes));
  *CMSG_FIRSTHDR(&message) = (struct cmsghdr){
      .cmsg_len = CMSG_LEN(fd_bytes), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), players.fds, fd_bytes);
  if (sendmsg(channel, &message, MSG_NOSIGNAL) < 0) die("sendmsg");
  for (int i = 0; i < 2 * players.count; i++) close(players.fds[i]);
  players.count = 0;
}

static void take_players(void) {
  struct iovec part = {players.first, sizeof players.first};
  struct msghdr message = message_of(&part, control.bytes, sizeof control.bytes);
  ssize_t n = recvmsg(channel, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (n <= 0) return;
  memcpy(players.fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof players.fds);
  for (size_t i = 0; i < (size_t)n / sizeof players.first[0]; i++) {
    begin(players.fds[2 * i], players.fds[2 * i + 1]);
    size_t length = players.first[i].length;
    if (send(players.fds[2 * i + 1], players.first[i].bytes, length, MSG_NOSIGNAL) < 0) die("send");
  }
}

// The player's first bytes have come: connects, and lets them wait for the hand-over.
static void admit(int player) {
  ssize_t n = recv(player, players.first[players.count].bytes, FIRST_BYTES, 0);
  if (n < 0 && errno == EAGAIN) return watch(epoll, EPOLL_CTL_ADD, player, EPOLLIN, (uint64_t)player);
  if (n <= 0) {
    close(player);
    return;
  }
  if (players.count == 0) players.began_us = now_us();
  players.first[players.count].length = (uint32_t)n;
  players.fds[2 * players.count] = player;
  players.fds[2 * players.count + 1] = connect_from(htonl(INADDR_LOOPBACK), backend_port);
  if (++players.count == PLAYERS_PER_MESSAGE) hand_over();
}

// Hands over what has gathered when nothing else waits, and within a millisecond.
static void admit_forever(void) {
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, players.count > 0 ? 0 : -1);
    for (int i = 0; i < count; i++) {
      if (events[i].data.u64 != 0) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, (int)events[i].data.u64, NULL);
        admit((int)events[i].data.u64);
        continue;
      }
      for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) admit(fd);
    }
    if (count == 0 || now_us() - players.began_us > 1000) hand_over();
  }
}

static void open_to_players(void) {
  epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN, 0);
  printf("ready\n");
  fflush(stdout);
}

// Returns in the process that forwards; it goes before all others, where that is permitted.
static void split(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) die("socketpair");
  pid_t child = fork();
  if (child < 0) die("fork");
  channel = ends[child == 0];
  close(ends[child != 0]);
  if (child != 0) {
    open_to_players();
    admit_forever();
  }
  epoll = epoll_create1(EPOLL_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
  watch(epoll, EPOLL_CTL_ADD, channel, EPOLLIN, 0);
}

static void handle(uint64_t data, uint32_t events) {
  if (data == 0) return channel < 0 ? accept_all() : take_players();
  Pair *pair = (Pair *)(uintptr_t)(data & ~(uint64_t)1);
  int side = (int)(data & 1);
  Side *own = &pair->sides[side];
  if (own->fd < 0) return;
  // A reset comes as an error even if reading is paused.
  if (events & EPOLLERR) return drop(pair);
  if (own->pending != NULL && events & EPOLLOUT) writable(pair, side);
  if (own->fd >= 0 && own->events & EPOLLIN && events & (EPOLLIN | EPOLLHUP)) readable(pair, side);
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) return 2;
  backend_port = atoi(argv[2]);
  raise_open_files();
  listener = listen_on(atoi(argv[1]));
  if (argc == 4) split();
  else open_to_players();
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) handle(events[i].data.u64, events[i].events);
    while (closed != NULL) {
      Pair *pair = closed;
      closed = pair->next_closed;
      free(pair);
    }
  }
}
