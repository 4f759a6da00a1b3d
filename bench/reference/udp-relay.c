// The minimum work for relaying UDP, as the reference for a relay in TypeScript: one thread with epoll,
// recvmmsg and sendmmsg. Each client has a session with its own connected socket to the backend, as
// the backend tells players apart by their port. Sessions never end. No rules, counters or limits.
//
//   udp-relay <port> <backend port>
#include "../load/common.h"

#define BATCH 64
// The datagrams of one session in a turn; the others are served in between.
#define BURST 8
#define DATAGRAM_BYTES 2048
#define SESSIONS_MAX 16384
#define TABLE (4 * SESSIONS_MAX)

typedef struct {
  int fd;
  struct sockaddr_in client;
} Session;

typedef struct {
  struct mmsghdr entries[BATCH];
  struct iovec vectors[BATCH];
} Headers;

static Session sessions[SESSIONS_MAX];
static int session_count, front, epoll, table[TABLE];
static struct sockaddr_in backend, names[BATCH];
static unsigned char bytes[BATCH][DATAGRAM_BYTES];
// The same bytes are received by one set of headers and sent by another.
static Headers incoming, outgoing;

static int udp_socket(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  int size = 4 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return fd;
}

static int open_session(const struct sockaddr_in *client) {
  if (session_count == SESSIONS_MAX) return -1;
  int fd = udp_socket();
  if (connect(fd, (struct sockaddr *)&backend, sizeof backend) < 0) die("connect");
  sessions[session_count] = (Session){.fd = fd, .client = *client};
  // 0 is the front.
  watch(epoll, EPOLL_CTL_ADD, fd, EPOLLIN, (uint64_t)session_count + 1);
  return session_count++;
}

// The number of a client's session, which begins with its first datagram; -1 when no more can begin.
static int session_of(const struct sockaddr_in *client) {
  uint64_t key = (uint64_t)client->sin_addr.s_addr << 16 | client->sin_port;
  uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) % TABLE;
  for (; table[at] != 0; at = (at + 1) % TABLE) {
    const struct sockaddr_in *known = &sessions[table[at] - 1].client;
    if (known->sin_addr.s_addr == client->sin_addr.s_addr && known->sin_port == client->sin_port)
      return table[at] - 1;
  }
  int index = open_session(client);
  if (index >= 0) table[at] = index + 1;
  return index;
}

// A full buffer loses datagrams, as UDP may.
static void send_run(int index, int first, int count) {
  if (index < 0) return;
  int fd = sessions[index].fd;
  if (count == 1) {
    send(fd, bytes[first], incoming.entries[first].msg_len, MSG_NOSIGNAL);
    return;
  }
  for (int i = first; i < first + count; i++) {
    outgoing.vectors[i].iov_len = incoming.entries[i].msg_len;
    outgoing.entries[i].msg_hdr.msg_name = NULL;
    outgoing.entries[i].msg_hdr.msg_namelen = 0;
  }
  sendmmsg(fd, outgoing.entries + first, (unsigned)count, MSG_NOSIGNAL);
}

static void front_readable(void) {
  for (int i = 0; i < BATCH; i++) {
    incoming.entries[i].msg_hdr.msg_name = &names[i];
    incoming.entries[i].msg_hdr.msg_namelen = sizeof names[i];
  }
  int count = recvmmsg(front, incoming.entries, BATCH, 0, NULL), run = 0, session = -1;
  for (int i = 0; i < count; i++) {
    int next = session_of(&names[i]);
    if (i > run && next != session) {
      send_run(session, run, i - run);
      run = i;
    }
    session = next;
  }
  if (count > run) send_run(session, run, count - run);
}

static int filled;

static void flush(void) {
  int sent = 0;
  while (sent < filled) {
    int n = sendmmsg(front, outgoing.entries + sent, (unsigned)(filled - sent), MSG_NOSIGNAL);
    // The first of them is lost: no room, or no way to the client.
    sent += n > 0 ? n : 1;
  }
  filled = 0;
}

static void session_readable(int index) {
  if (filled > BATCH - BURST) flush();
  for (int i = filled; i < filled + BURST; i++) incoming.entries[i].msg_hdr.msg_name = NULL;
  int count = recvmmsg(sessions[index].fd, incoming.entries + filled, BURST, 0, NULL);
  for (int i = 0; i < count; i++, filled++) {
    outgoing.vectors[filled].iov_len = incoming.entries[filled].msg_len;
    outgoing.entries[filled].msg_hdr.msg_name = &sessions[index].client;
    outgoing.entries[filled].msg_hdr.msg_namelen = sizeof sessions[index].client;
  }
}

static void prepare(Headers *headers) {
  for (int i = 0; i < BATCH; i++) {
    headers->vectors[i] = (struct iovec){bytes[i], DATAGRAM_BYTES};
    headers->entries[i].msg_hdr.msg_iov = &headers->vectors[i];
    headers->entries[i].msg_hdr.msg_iovlen = 1;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  raise_open_files();
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  backend = at;
  at.sin_port = htons((uint16_t)atoi(argv[1]));
  backend.sin_port = htons((uint16_t)atoi(argv[2]));
  front = udp_socket();
  if (bind(front, (struct sockaddr *)&at, sizeof at) < 0) die("bind");
  prepare(&incoming);
  prepare(&outgoing);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, EPOLL_CTL_ADD, front, EPOLLIN, 0);
  printf("ready\n");
  fflush(stdout);
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++)
      if (events[i].data.u64 != 0) session_readable((int)events[i].data.u64 - 1);
    flush();
    // Last, because it uses the same buffers.
    for (int i = 0; i < count; i++)
      if (events[i].data.u64 == 0) front_readable();
  }
}
