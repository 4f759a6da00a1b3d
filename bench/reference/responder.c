// The minimum work for a ping or a kick, as the reference for the edge: one thread with epoll, checked
// framing, one write of a prepared answer, then pong or the end of the connection.
// No routing, rules, deadlines, limits or counters.
//
//   responder <port> <status answer, hex> <kick, hex>
#include "../load/common.h"

#define BUFFER_BYTES 1024
#define FDS_MAX 65536

typedef enum { HANDSHAKE, STATUS, LOGIN, CLOSING } State;

typedef struct {
  State state;
  size_t start, end;
  unsigned char bytes[BUFFER_BYTES];
} Connection;

static Connection *connections[FDS_MAX];
static Pattern status_answer, kick;

// Reads a VarInt; 0: more is needed, -1: too long, else the bytes it took.
static int varint(const unsigned char *at, const unsigned char *end, uint32_t *value) {
  *value = 0;
  for (int i = 0; i < 5; i++) {
    if (at + i >= end) return 0;
    *value |= (uint32_t)(at[i] & 0x7f) << (7 * i);
    if (!(at[i] & 0x80)) return i + 1;
  }
  return -1;
}

static void drop(int fd) {
  free(connections[fd]);
  connections[fd] = NULL;
  close(fd);
}

// Handles one packet. True when the connection continues.
static int took(int fd, Connection *c, const unsigned char *at, const unsigned char *end) {
  uint32_t id, protocol, host_bytes, intent;
  int n = varint(at, end, &id);
  if (n <= 0) return 0;
  at += n;
  if (c->state == HANDSHAKE) {
    if (id != 0 || (n = varint(at, end, &protocol)) <= 0) return 0;
    at += n;
    if ((n = varint(at, end, &host_bytes)) <= 0) return 0;
    at += n;
    if (host_bytes > 255 || (size_t)(end - at) < host_bytes + 3) return 0;
    at += host_bytes + 2;
    if ((n = varint(at, end, &intent)) <= 0 || at + n != end) return 0;
    if (intent < 1 || intent > 3) return 0;
    c->state = intent == 1 ? STATUS : LOGIN;
    return 1;
  }
  if (c->state == LOGIN) {
    if (id != 0) return 0;
    send(fd, kick.bytes, kick.length, MSG_NOSIGNAL);
    // The client reads it and closes; closing first could reset the connection.
    shutdown(fd, SHUT_WR);
    c->state = CLOSING;
    return 1;
  }
  if (id == 0 && at == end) {
    send(fd, status_answer.bytes, status_answer.length, MSG_NOSIGNAL);
    return 1;
  }
  if (id == 1 && end - at == 8) {
    unsigned char pong[10] = {9, 1};
    memcpy(pong + 2, at, 8);
    send(fd, pong, sizeof pong, MSG_NOSIGNAL);
  }
  return 0;
}

static void readable(int fd) {
  Connection *c = connections[fd];
  if (c->start == c->end) c->start = c->end = 0;
  ssize_t n = recv(fd, c->bytes + c->end, BUFFER_BYTES - c->end, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return drop(fd);
  if (c->state == CLOSING) return;
  c->end += (size_t)n;
  for (;;) {
    const unsigned char *at = c->bytes + c->start, *end = c->bytes + c->end;
    uint32_t length;
    int head = varint(at, end, &length);
    if (head < 0 || (head > 0 && (length == 0 || length + 3 > BUFFER_BYTES))) return drop(fd);
    if (head == 0 || (size_t)(end - at) < head + length) {
      if (c->start > 0) {
        memmove(c->bytes, at, (size_t)(end - at));
        c->end -= c->start;
        c->start = 0;
      }
      if (c->end == BUFFER_BYTES) drop(fd);
      return;
    }
    c->start += head + length;
    if (!took(fd, c, at + head, at + head + length)) return drop(fd);
    if (c->state == CLOSING || c->start == c->end) return;
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  status_answer = pattern_of(argv[2]);
  kick = pattern_of(argv[3]);
  raise_open_files();
  int listener = listen_on(atoi(argv[1]));
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN, (uint64_t)listener);
  printf("ready\n");
  fflush(stdout);
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      int fd = (int)events[i].data.u64;
      if (fd != listener) {
        readable(fd);
        continue;
      }
      for (;;) {
        int fresh = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fresh < 0) break;
        if (fresh >= FDS_MAX) {
          close(fresh);
          continue;
        }
        connections[fresh] = malloc(sizeof(Connection));
        connections[fresh]->state = HANDSHAKE;
        connections[fresh]->start = connections[fresh]->end = 0;
        watch(epoll, EPOLL_CTL_ADD, fresh, EPOLLIN, (uint64_t)fresh);
      }
    }
  }
}
