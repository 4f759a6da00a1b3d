import { UdpRelay } from "./udp-relay.ts";

/** `udp-relay-main.ts <port> <backend port>`: relays on loopback until a signal ends it. */

const [port, backendPort] = process.argv.slice(2).map(Number);
if (port === undefined || backendPort === undefined) process.exit(2);
const ip = "127.0.0.1";
const relay = new UdpRelay({
  front: { ip, port },
  backend: { ip, port: backendPort },
  sessionsMax: 16_384,
});
process.stdout.write("ready\n");
for (;;) relay.turn(-1);
