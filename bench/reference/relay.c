// The minimum work for relaying TCP, as the reference for the edge's relay: one thread with epoll,
// recv into one shared buffer, send to the other side. A slow receiver stops the reading of its
// sender. No routing, counters or deadlines.
//
//   relay <port> <backend port>
#include "../load/common.h"

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

static int epoll, backend_port, listener;
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

static void accept_all(void) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    Pair *pair = calloc(1, sizeof *pair);
    pair->sides[0].fd = fd;
    // On loopback the connection is open at once; a send before that waits as pending bytes.
    pair->sides[1].fd = connect_from(htonl(INADDR_LOOPBACK), backend_port);
    for (int side = 0; side < 2; side++) {
      pair->sides[side].events = EPOLLIN;
      watch(epoll, EPOLL_CTL_ADD, pair->sides[side].fd, EPOLLIN, tag(pair, side));
    }
  }
}

static void handle(uint64_t data, uint32_t events) {
  if (data == 0) return accept_all();
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
  if (argc != 3) return 2;
  backend_port = atoi(argv[2]);
  raise_open_files();
  listener = listen_on(atoi(argv[1]));
  epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN, 0);
  printf("ready\n");
  fflush(stdout);
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
