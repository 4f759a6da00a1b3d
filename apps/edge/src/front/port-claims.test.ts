import { createServer } from "node:net";
import { once } from "node:events";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { expect, test } from "vitest";
import { FdBudget } from "#src/forwarding/fd-budget.ts";
import { GroupPorts } from "#src/listeners/group-ports.ts";
import { TimerWheel } from "#src/reactor/timer-wheel.ts";
import { shieldOf } from "#src/testing/test-status-service.ts";
import { PortClaims } from "./port-claims.ts";
import { createRemoteOpening } from "./remote-opening.ts";

/** The group ports of one worker, and what the main thread knows of them. */
function setUp() {
  const claims = new PortClaims();
  const opening = createRemoteOpening((message) => {
    if (message.kind === "release") claims.release(0, message.port);
    if (message.kind !== "claim") return;
    claims.claim(0, message.host, message.port).then(
      () => opening.hear(message.number, undefined),
      (error: unknown) => opening.hear(message.number, String(error)),
    );
  });
  const ports = new GroupPorts({
    ingress: { take: () => undefined },
    wheel: new TimerWheel(() => performance.now()),
    log: pino({ level: "silent" }),
    fds: new FdBudget(100),
    begin: () => undefined,
    ownPorts: new Set(),
    opening,
  });
  ports.listen("127.0.0.1");
  return { claims, ports };
}

test("a port that is closed and opened again while it is being asked for is open, and claimed", async () => {
  const { claims, ports } = setUp();
  const claim = [{ port: await freePort(), target: shieldOf() }];
  ports.replace("shield", claim);
  ports.replace("shield", []);
  ports.replace("shield", claim);
  await until(() => ports.open + ports.failures > 0);
  expect([ports.open, ports.failures]).toEqual([1, 0]);
  expect(claims.ports).toEqual(claim.map(({ port }) => port));
  ports.stop();
  expect(claims.ports).toEqual([]);
});

test("a port of another program is never claimed, however often it is tried", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  const { claims, ports } = setUp();
  const claim = [{ port, target: shieldOf() }];
  ports.replace("shield", claim);
  ports.replace("shield", []);
  ports.replace("shield", claim);
  await until(() => ports.failures > 0);
  expect([ports.open, claims.ports.length]).toEqual([0, 0]);
  ports.stop();
  other.close();
});
