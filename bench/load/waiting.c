// Load generator of clients in the check: keeps so many of them there. Each logs in, checks the first answer and
// is silent until its stay is over. Then it sends its last bytes, if there are any. Once the server ends the
// connection, the next client takes its place at once. The first ones leave by themselves, each at another time,
// so that those who come after them end one after the other.
//
//   waiting <port> <at a time> <stay in ms> <last bytes, or ""> <answer> <login> [<login> ...]
//
// Logins are used in turn; ".." in them stands for a digit of the client's number, in <answer> for any byte.
//
// Prints {"ready":n} when all are in the check but those (1 % at most) whose place is just being taken. A line on
// standard input or its end prints {"replaced":n,"refused":n,"least":n,"seconds":s}: clients that others have
// replaced, those of them that the server ended before their first answer, and the fewest that were in the check at
// a time, since they were ready.
#include "common.h"

#define BYTES_MAX 65536
#define SEND_MAX 1024
// Clients without an answer while the first ones come.
#define COMING_MAX 128
#define STDIN_DATA UINT64_MAX
// A server without a free place gives away that of a client who has been silent for a second.
#define SETTLE_US 1500000

typedef struct {
  uint64_t due_us;
  uint32_t number;
  size_t received;
  int fd, sent, is_in_check, is_first;
} Client;

// The place of a client whose stay ends; another one may have it by then.
typedef struct {
  int slot;
  uint32_t number;
} Stay;

static int port, count, logins, epoll;
static uint64_t stay_us, there_us, ready_us;
static Pattern last, answer, sends[16];
static Client *clients;
static unsigned char (*answers)[256];
static Stay *stays;
static uint64_t stays_first, stays_end;
static uint32_t next_number, coming, in_check, least;
static uint64_t replaced, refused;

static int send_login(Client *c) {
  const Pattern *p = &sends[c->number % (uint32_t)logins];
  unsigned char numbered[SEND_MAX];
  memcpy(numbered, p->bytes, p->length);
  uint32_t rest = c->number;
  for (size_t i = p->length; i-- > 0;) {
    if (!p->any[i]) continue;
    numbered[i] = (unsigned char)('0' + rest % 10);
    rest /= 10;
  }
  ssize_t n = send(c->fd, numbered, p->length, MSG_NOSIGNAL);
  c->sent = n == (ssize_t)p->length;
  return c->sent || (n < 0 && errno == EAGAIN);
}

static void begin(int slot, uint64_t for_us, int is_first) {
  Client *c = &clients[slot];
  uint32_t number = ++next_number;
  int fd = connect_from(source_of(number), port);
  *c = (Client){.number = number, .due_us = now_us() + for_us, .fd = fd, .is_first = is_first};
  coming++;
  watch(epoll, EPOLL_CTL_ADD, c->fd, EPOLLIN | (send_login(c) && c->sent ? 0 : EPOLLOUT), (uint64_t)slot);
}

static void replace(int slot) {
  Client *c = &clients[slot];
  close(c->fd);
  replaced++;
  if (!c->is_in_check) coming--;
  else if (--in_check < least) least = in_check;
  begin(slot, stay_us, 0);
  if (last.length == 0) return;
  if (stays_end - stays_first == (uint64_t)(2 * count)) die("clients end too early");
  stays[stays_end++ % (uint64_t)(2 * count)] = (Stay){slot, c->number};
}

static void readable(int slot) {
  static unsigned char bytes[BYTES_MAX];
  Client *c = &clients[slot];
  ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {
    if (!c->is_in_check) refused++;
    replace(slot);
    return;
  }
  if (c->is_in_check) return;
  for (ssize_t i = 0; i < n && c->received < answer.length; i++) answers[slot][c->received++] = bytes[i];
  if (c->received < answer.length) return;
  if (!matches(&answer, answers[slot])) {
    fprintf(stderr, "wrong answer\n");
    exit(1);
  }
  c->is_in_check = 1;
  coming--;
  in_check++;
}

static void end_stays(int *first_leaving, int begun) {
  uint64_t now = now_us();
  for (; *first_leaving < begun; ++*first_leaving) {
    const Client *c = &clients[*first_leaving];
    if (!c->is_first) continue;
    if (c->due_us > now) break;
    replace(*first_leaving);
  }
  for (; stays_first < stays_end; stays_first++) {
    Stay stay = stays[stays_first % (uint64_t)(2 * count)];
    const Client *c = &clients[stay.slot];
    if (c->number != stay.number) continue;
    if (c->due_us > now) break;
    // So few bytes fit. If the connection is broken, the next read tells.
    send(c->fd, last.bytes, last.length, MSG_NOSIGNAL);
  }
}

int main(int argc, char **argv) {
  if (argc < 7 || argc > 22) return 2;
  port = atoi(argv[1]);
  count = atoi(argv[2]);
  stay_us = (uint64_t)atoi(argv[3]) * 1000;
  last = pattern_of(argv[4]);
  answer = pattern_of(argv[5]);
  for (int i = 6; i < argc; i++) sends[logins++] = pattern_of(argv[i]);
  if (count <= 0 || answer.length > sizeof answers[0]) return 2;
  for (int i = 0; i < logins; i++)
    if (sends[i].length > SEND_MAX) return 2;
  raise_open_files();
  clients = calloc((size_t)count, sizeof *clients);
  answers = calloc((size_t)count, sizeof *answers);
  stays = calloc((size_t)(2 * count), sizeof *stays);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, EPOLL_CTL_ADD, 0, EPOLLIN, STDIN_DATA);

  struct epoll_event events[256];
  int begun = 0, first_leaving = 0;
  for (;;) {
    for (; begun < count && coming < COMING_MAX; begun++)
      begin(begun, stay_us * (uint64_t)(begun + 1) / (uint64_t)count, 1);
    end_stays(&first_leaving, begun);
    int are_there = begun == count && in_check >= (uint32_t)(count - count / 100);
    if (are_there && there_us == 0) there_us = now_us();
    if (ready_us == 0 && are_there && now_us() - there_us >= SETTLE_US) {
      ready_us = now_us();
      least = in_check;
      replaced = refused = 0;
      printf("{\"ready\":%u}\n", in_check);
      fflush(stdout);
    }
    int n = epoll_wait(epoll, events, 256, 5);
    for (int i = 0; i < n; i++) {
      if (events[i].data.u64 == STDIN_DATA) {
        printf("{\"replaced\":%lu,\"refused\":%lu,\"least\":%u,\"seconds\":%.3f}\n", replaced, refused, least,
               (double)(now_us() - ready_us) / 1e6);
        return 0;
      }
      int slot = (int)events[i].data.u64;
      Client *c = &clients[slot];
      if (!c->sent && (events[i].events & EPOLLOUT)) {
        if (send_login(c) && c->sent) watch(epoll, EPOLL_CTL_MOD, c->fd, EPOLLIN, (uint64_t)slot);
      } else readable(slot);
    }
  }
}
