// Load generator of the relay: the players and their backend, in one process. Every byte is checked:
// each direction of each player is a known sequence.
//
//   players <server port> <backend port> <players> <head, hex> <name in it>
//
// Connects all players (each head carries its own number in place of the zeros that end the name),
// prints {"ready":n}, then reads commands on standard input:
//
//   packets <seconds> <up per second and player> <up bytes> <down per second and player> <down bytes>
//   saturate <seconds> <up bytes> <down bytes>  (a packet that arrives is followed by the next one)
//   bulk <seconds> <players that download>
//   quit (or the end of the input)
//
// and answers each with a line:
//   {"packets":n,"bytes":n,"wrong":n,"lost":n,"seconds":s,"p50_us":n,"p99_us":n}
#include "common.h"
#include <poll.h>

#define PLAYERS_MAX 20000
#define HEAD_MAX 512
#define CHUNK (256 * 1024)
// A prime, so that the sequence never repeats at a boundary of packets or buffers.
#define SEQUENCE 262139
#define SAMPLES_MAX (1u << 22)
// The backend's first bytes for each player; the edge takes a backend that never says anything for down.
#define WELCOME_BYTES 32
// Players that join in parallel: fewer than a listener's queue holds.
#define OPENING_MAX 256
// The first ones, alone: an edge connects few at once to a backend that it has never tried. Its worker hears
// within this time that the backend answers.
#define FIRST_COUNT 32
#define HEARD_US 200000

typedef struct {
  int fd;
  uint64_t sent, received;
  uint64_t last_sent_us;
} Side;

typedef struct {
  Side client, backend;
  int is_open;
} Player;

typedef struct {
  int fd, player;
  size_t bytes;
  unsigned char head[HEAD_MAX];
} Arrival;

enum { CLIENT, BACKEND, ARRIVAL, LISTENER };

static Player *players;
static int player_count, epoll, listener, server_port, head_bytes, digits_at, digits;
static unsigned char head[HEAD_MAX], *sequence;
static Arrival *arrivals[65536];
static uint64_t wrong, lost, bytes_received, packets_received;
static uint32_t *samples, sample_count;
static int open_count;
// Bytes of the packet that follows one that arrived, up and down; 0 for none.
static size_t next_bytes[2];
static uint64_t followed;

static uint64_t tag(int kind, int index) { return (uint64_t)kind << 32 | (uint32_t)index; }

// The position of a player's stream in the sequence; both directions differ.
static size_t place(int player, int kind, uint64_t at) {
  return (at + (uint64_t)player * 7919 + (kind == CLIENT ? 0 : 104729)) % SEQUENCE;
}

static void check(int player, int from, uint64_t at, const unsigned char *bytes, size_t length) {
  // The sequence is stored twice in a row, so that no part of it wraps.
  for (size_t done = 0; done < length;) {
    size_t part = length - done < SEQUENCE ? length - done : SEQUENCE;
    if (memcmp(sequence + place(player, from, at + done), bytes + done, part) != 0) {
      if (wrong++ == 0) fprintf(stderr, "player %d: wrong bytes at %lu\n", player, at);
      return;
    }
    done += part;
  }
}

static size_t transmit(int player, int kind, size_t length) {
  Side *side = kind == CLIENT ? &players[player].client : &players[player].backend;
  ssize_t n = send(side->fd, sequence + place(player, kind, side->sent), length, MSG_NOSIGNAL);
  if (n < 0) {
    if (errno != EAGAIN) lost++;
    return 0;
  }
  side->sent += (uint64_t)n;
  return (size_t)n;
}

// Sends the next packet of a saturated direction.
static void follow(int player, int from) {
  size_t length = next_bytes[from];
  if (length == 0) return;
  followed++;
  if (transmit(player, from, length) != length) lost++;
}

static unsigned char incoming[CHUNK];

static void receive(int player, int kind) {
  Side *to = kind == CLIENT ? &players[player].client : &players[player].backend;
  Side *from = kind == CLIENT ? &players[player].backend : &players[player].client;
  ssize_t n = recv(to->fd, incoming, CHUNK, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {
    lost++;
    epoll_ctl(epoll, EPOLL_CTL_DEL, to->fd, NULL);
    return;
  }
  check(player, kind == CLIENT ? BACKEND : CLIENT, to->received, incoming, (size_t)n);
  to->received += (uint64_t)n;
  bytes_received += (uint64_t)n;
  // A packet's time is meaningful only if one packet is under way at a time.
  if (to->received == from->sent && from->last_sent_us && sample_count < SAMPLES_MAX)
    samples[sample_count++] = (uint32_t)(now_us() - from->last_sent_us);
  if (to->received == from->sent) follow(player, kind == CLIENT ? BACKEND : CLIENT);
}

static void open_player(int index) {
  unsigned char mine[HEAD_MAX];
  char number[16];
  memcpy(mine, head, (size_t)head_bytes);
  snprintf(number, sizeof number, "%0*d", digits, index);
  memcpy(mine + digits_at, number, (size_t)digits);
  Player *p = &players[index];
  p->client.fd = connect_from(source_of((uint32_t)index), server_port);
  struct pollfd out = {.fd = p->client.fd, .events = POLLOUT};
  poll(&out, 1, 5000);
  if (send(p->client.fd, mine, (size_t)head_bytes, MSG_NOSIGNAL) != head_bytes) die("send head");
  watch(epoll, EPOLL_CTL_ADD, p->client.fd, EPOLLIN, tag(CLIENT, index));
}

static void accept_all(void) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    arrivals[fd] = calloc(1, sizeof(Arrival));
    arrivals[fd]->fd = fd;
    watch(epoll, EPOLL_CTL_ADD, fd, EPOLLIN, tag(ARRIVAL, fd));
  }
}

// A connection from the server: its head names the player.
static void arrival_readable(int fd) {
  Arrival *a = arrivals[fd];
  ssize_t n = recv(fd, a->head + a->bytes, (size_t)head_bytes - a->bytes, 0);
  if (n <= 0) {
    if (n < 0 && errno == EAGAIN) return;
    // A status request or a health check of the server, not a player.
    close(fd);
    free(a);
    arrivals[fd] = NULL;
    return;
  }
  a->bytes += (size_t)n;
  if (a->bytes < (size_t)head_bytes) return;
  char number[16] = {0};
  memcpy(number, a->head + digits_at, (size_t)digits);
  int index = atoi(number);
  if (index < 0 || index >= player_count || players[index].is_open) die("a head of no player");
  players[index].backend.fd = fd;
  players[index].is_open = 1;
  open_count++;
  free(a);
  arrivals[fd] = NULL;
  watch(epoll, EPOLL_CTL_MOD, fd, EPOLLIN, tag(BACKEND, index));
  transmit(index, BACKEND, WELCOME_BYTES);
}

static void turn(int wait_ms) {
  struct epoll_event events[512];
  int count = epoll_wait(epoll, events, 512, wait_ms);
  for (int i = 0; i < count; i++) {
    int kind = (int)(events[i].data.u64 >> 32), index = (int)(uint32_t)events[i].data.u64;
    if (kind == LISTENER) accept_all();
    else if (kind == ARRIVAL) arrival_readable(index);
    else receive(index, kind);
  }
}

static uint64_t under_way(void) {
  uint64_t sum = 0;
  for (int i = 0; i < player_count; i++)
    sum += players[i].client.sent - players[i].backend.received + players[i].backend.sent -
           players[i].client.received;
  return sum;
}

// Bytes under way have this long to arrive; after that they are lost.
static void settle(void) {
  uint64_t until_us = now_us() + 10000000;
  while (under_way() > 0 && now_us() < until_us) turn(5);
  if (under_way() > 0) lost++;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void report(uint64_t packets, uint64_t started_us, uint64_t ended_us) {
  qsort(samples, sample_count, sizeof *samples, ascending);
  printf("{\"packets\":%lu,\"bytes\":%lu,\"wrong\":%lu,\"lost\":%lu,\"seconds\":%.3f,"
         "\"p50_us\":%u,\"p99_us\":%u}\n",
         packets, bytes_received, wrong, lost, (double)(ended_us - started_us) / 1e6,
         sample_count ? samples[(uint64_t)sample_count * 50 / 100] : 0,
         sample_count ? samples[(uint64_t)sample_count * 99 / 100] : 0);
  fflush(stdout);
}

// Sends packets of all players, spread evenly over each second, at the rate of each direction.
static void run_packets(double seconds, double up, size_t up_bytes, double down, size_t down_bytes) {
  uint64_t started_us = now_us(), packets[2] = {0, 0};
  double rates[2] = {up * player_count, down * player_count};
  size_t sizes[2] = {up_bytes, down_bytes};
  for (;;) {
    uint64_t now = now_us();
    double elapsed = (double)(now - started_us) / 1e6;
    if (elapsed >= seconds) break;
    for (int way = 0; way < 2; way++) {
      while ((double)packets[way] < elapsed * rates[way]) {
        int player = (int)(packets[way]++ % (uint64_t)player_count);
        Side *side = way ? &players[player].backend : &players[player].client;
        side->last_sent_us = now;
        if (transmit(player, way ? BACKEND : CLIENT, sizes[way]) != sizes[way]) lost++;
      }
    }
    turn(1);
  }
  settle();
  report(packets[0] + packets[1], started_us, now_us());
}

// One packet of each player and direction is always under way, so the server is never idle.
static void run_saturated(double seconds, size_t up_bytes, size_t down_bytes) {
  uint64_t started_us = now_us();
  next_bytes[CLIENT] = up_bytes;
  next_bytes[BACKEND] = down_bytes;
  followed = 0;
  for (int i = 0; i < player_count; i++) {
    players[i].client.last_sent_us = players[i].backend.last_sent_us = 0;
    follow(i, CLIENT);
    follow(i, BACKEND);
  }
  while ((double)(now_us() - started_us) / 1e6 < seconds) turn(1);
  next_bytes[CLIENT] = next_bytes[BACKEND] = 0;
  settle();
  report(followed, started_us, now_us());
}

static void run_bulk(double seconds, int count) {
  uint64_t started_us = now_us();
  for (int i = 0; i < player_count; i++) players[i].backend.last_sent_us = 0;
  for (int i = 0; i < player_count; i++) players[i].client.last_sent_us = 0;
  if (count > player_count) count = player_count;
  while ((double)(now_us() - started_us) / 1e6 < seconds) {
    for (int i = 0; i < count; i++) transmit(i, BACKEND, CHUNK / 2);
    turn(0);
  }
  settle();
  report(0, started_us, now_us());
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  server_port = atoi(argv[1]);
  player_count = atoi(argv[3]);
  Pattern given = pattern_of(argv[4]);
  if (player_count > PLAYERS_MAX || given.length > HEAD_MAX) return 2;
  head_bytes = (int)given.length;
  memcpy(head, given.bytes, given.length);
  const char *name = argv[5];
  unsigned char *at = memmem(head, given.length, name, strlen(name));
  if (at == NULL) return 2;
  digits = (int)strspn(strchr(name, '0'), "0");
  digits_at = (int)(at - head) + (int)strlen(name) - digits;

  raise_open_files();
  signal(SIGPIPE, SIG_IGN);
  players = calloc((size_t)player_count, sizeof *players);
  samples = calloc(SAMPLES_MAX, sizeof *samples);
  sequence = malloc(2 * SEQUENCE);
  uint32_t random = 2463534242u;
  for (int i = 0; i < SEQUENCE; i++) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    sequence[i] = sequence[i + SEQUENCE] = (unsigned char)random;
  }
  epoll = epoll_create1(EPOLL_CLOEXEC);
  listener = listen_on(atoi(argv[2]));
  watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN, tag(LISTENER, 0));

  uint64_t give_up_us = now_us() + 60000000;
  for (int i = 0; i < player_count; i++) {
    if (i == FIRST_COUNT) {
      while (open_count < FIRST_COUNT && now_us() < give_up_us) turn(1);
      for (uint64_t heard_us = now_us() + HEARD_US; now_us() < heard_us;) turn(1);
    }
    open_player(i);
    while (i + 1 - open_count >= OPENING_MAX && now_us() < give_up_us) turn(1);
    if (i % 16 == 0) turn(0);
  }
  while (open_count < player_count && now_us() < give_up_us) turn(5);
  if (open_count == player_count) settle();
  printf("{\"ready\":%d}\n", open_count);
  fflush(stdout);
  if (open_count < player_count) return 1;

  char line[256];
  while (fgets(line, sizeof line, stdin) != NULL) {
    double seconds, up, down;
    unsigned long up_bytes, down_bytes;
    int count;
    wrong = lost = bytes_received = packets_received = sample_count = 0;
    if (sscanf(line, "packets %lf %lf %lu %lf %lu", &seconds, &up, &up_bytes, &down, &down_bytes) == 5)
      run_packets(seconds, up, up_bytes, down, down_bytes);
    else if (sscanf(line, "saturate %lf %lu %lu", &seconds, &up_bytes, &down_bytes) == 3)
      run_saturated(seconds, up_bytes, down_bytes);
    else if (sscanf(line, "bulk %lf %d", &seconds, &count) == 2) run_bulk(seconds, count);
    else break;
  }
  return 0;
}
