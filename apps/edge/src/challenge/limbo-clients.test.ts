import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FieldReader } from "@palisade/minecraft-protocol/java/fields";
import { readFrame, type FrameResult } from "@palisade/minecraft-protocol/java/frame";
import { encodeLimboArrival } from "@palisade/minecraft-protocol/java/limbo/arrival";
import { encodeLimboConfiguration } from "@palisade/minecraft-protocol/java/limbo/configuration";
import { decodeMovement, type Movement } from "@palisade/minecraft-protocol/java/limbo/movement";
import { arrival, platformHeight } from "@palisade/minecraft-protocol/java/limbo/place";
import {
  acknowledgesLogin,
  encodeLoginSuccess,
  loginAcknowledgedPacketId,
} from "@palisade/minecraft-protocol/java/login-success";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { describedReleases } from "@palisade/testing/minecraft/described-packets";
import { startPeer, type PeerProcess } from "@palisade/testing/peer-process";

/**
 * Real clients of every version that minecraft-data describes enter the limbo, served by the encoders
 * of packages/minecraft-protocol and nothing else.
 *
 * Only some of the versions play with a body here, one for each form of chunks and movement, because
 * each takes half a second of CPU. Seen to land in the same way, with mineflayer 4.39: 1.8.8, 1.9.4,
 * 1.10.2, 1.11.2, 1.12.2, 1.13.2, 1.14.4, 1.15.2, 1.16.5, 1.17.1, 1.18.2, 1.19, 1.19.2 to 1.19.4, 1.20.1,
 * 1.20.2, 1.20.4, 1.20.6, 1.21.1, 1.21.3 to 1.21.6, 1.21.8, 1.21.9, 1.21.11 and 26.1. No real client of
 * 1.9.1, 1.14.2, 26.2 and 26.3 was available.
 */

const withBody = [
  "1.8.8",
  "1.12.2",
  "1.13.2",
  "1.14.4",
  "1.15.2",
  "1.16.5",
  "1.17.1",
  "1.18.2",
  "1.20.1",
  "1.20.4",
  "1.21.1",
  "1.21.4",
  "1.21.11",
  "26.1",
];

const teleportId = 77;
const gameFrameMax = 0x1f_ffff;

/** The movements that each player sent in the world, by name. */
const movements = new Map<string, Movement[]>();
let server: Server;
let players: PeerProcess;

beforeAll(async () => {
  server = createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  players = startPeer("limbo-visitors.mjs", { port });
});
afterAll(async () => {
  await players.kill();
  server.close();
});

type Packet = Extract<FrameResult, { kind: "packet" }>;

/** Lets a player in: Login Success, the configuration state where there is one, the world. */
function serve(socket: Socket): void {
  let received = Buffer.alloc(0);
  let state: "handshake" | "login" | "configuration" | "play" = "handshake";
  let [protocol, name] = [0, ""];
  const enter = (): void => {
    state = "play";
    movements.set(name, []);
    socket.write(encodeLimboArrival(protocol, teleportId) ?? "");
  };
  const take = (bytes: Buffer, { id, bodyStart, bodyEnd }: Packet): void => {
    const fields = new FieldReader(bytes, bodyStart, bodyEnd);
    if (state === "handshake") {
      protocol = fields.varInt();
      state = "login";
    } else if (state === "login" && id === loginAcknowledgedPacketId) {
      state = "configuration";
      socket.write(encodeLimboConfiguration(protocol) ?? "");
    } else if (state === "login") {
      name = fields.string(64);
      socket.write(encodeLoginSuccess(protocol, { uuid: Buffer.alloc(16, 7), name }));
      if (!acknowledgesLogin(protocol)) enter();
    } else if (state === "configuration") {
      if (id === packetIds.configuration.toServer.finishConfiguration(protocol)) enter();
    } else {
      const movement = decodeMovement(protocol, id, bytes, bodyStart, bodyEnd);
      if (movement !== undefined) movements.get(name)?.push(movement);
    }
  };
  socket.on("error", () => undefined);
  socket.on("data", (more) => {
    received = Buffer.concat([received, more]);
    for (;;) {
      const frame = readFrame(received, 0, gameFrameMax);
      if (frame.kind !== "packet") return;
      take(received, frame);
      received = received.subarray(frame.bodyEnd);
    }
  });
}

/** Heights of each tick of a fall from `arrival`, the first ones before the client moves. */
function fallTo(end: number): number[] {
  const heights: number[] = [];
  let [height, speed] = [arrival.y, 0];
  while (height > end) {
    heights.push(height);
    speed = (speed + 0.08) * 0.98;
    height -= speed;
  }
  return [...heights, end];
}

const nameOf = (version: string): string => `V${version.replaceAll(".", "_")}`;

function join(version: string, hasBody: boolean): string {
  const name = nameOf(version);
  players.send({ join: version, name, hasBody });
  return name;
}

/** Throws with the client's own words if it cannot read a packet. */
async function eventOf(name: string, event: string): Promise<Record<string, unknown>> {
  const isOwn = (found: Record<string, unknown>): boolean => found["name"] === name;
  const failed = players.event("failed", isOwn).then(({ message }) => {
    throw new Error(String(message));
  });
  failed.catch(() => undefined);
  return Promise.race([players.event(event, isOwn), failed]);
}

const releases = describedReleases();
const isPlayed = new Set(withBody);

describe("a client without a body", () => {
  const watching = releases.filter(({ version }) => !isPlayed.has(version));
  test.concurrent.each(watching)("reads each packet of the limbo: $version", async (release) => {
    const name = join(release.version, false);
    const { height, teleportId: told } = await eventOf(name, "entered");
    // 1.7 is told the height of its eyes.
    expect(height).toBeCloseTo(arrival.y + (release.protocol < 47 ? 1.62 : 0), 6);
    expect(told).toBe(release.protocol < 107 ? undefined : teleportId);
  });
});

describe("a client with a body", () => {
  test.concurrent.each(withBody)(
    "confirms where it is, falls as the game does and lands on the floor: %s",
    async (version) => {
      const name = join(version, true);
      expect(await eventOf(name, "landed")).toMatchObject({
        height: platformHeight,
        floor: "stone",
        wall: "glass",
        air: "air",
      });
      const sent = movements.get(name) ?? [];
      // The client says so before its last movement has arrived.
      await until(() => sent.some((each) => each.kind === "moved" && each.y === platformHeight));
      const confirmed = sent.filter(({ kind }) => kind === "teleport-confirmed");
      const hasIds = version !== "1.8.8";
      expect(confirmed).toEqual(hasIds ? [{ kind: "teleport-confirmed", teleportId }] : []);
      const moves = sent.filter((movement) => movement.kind === "moved");
      const heights = moves.map(({ y }) => y);
      const falls = heights.slice(heights.lastIndexOf(arrival.y));
      const expected = fallTo(platformHeight);
      expect(heights.slice(0, heights.lastIndexOf(arrival.y))).toSatisfy(areAll(arrival.y));
      for (const [tick, height] of expected.entries()) {
        expect(falls[tick], `tick ${tick}`).toBeCloseTo(height, 4);
      }
      const landing = moves.findIndex(({ onGround }) => onGround);
      expect(moves[landing]?.y ?? platformHeight).toBe(platformHeight);
      for (const { y } of moves.slice(0, landing)) expect(y).toBeGreaterThan(platformHeight);
    },
  );
});

function areAll(height: number): (heights: number[]) => boolean {
  return (heights) => heights.every((each) => each === height);
}
