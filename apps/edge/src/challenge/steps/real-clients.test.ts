import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { decodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeLimboArrival } from "@palisade/minecraft-protocol/java/limbo/arrival";
import { canSteerBoat } from "@palisade/minecraft-protocol/java/limbo/boat";
import { decodeLimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeLimboConfiguration } from "@palisade/minecraft-protocol/java/limbo/configuration";
import { answersResourcePack } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import {
  acknowledgesLogin,
  encodeLoginSuccess,
} from "@palisade/minecraft-protocol/java/login-success";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { startPeer, type PeerProcess } from "@palisade/testing/peer-process";
import { until } from "@palisade/testing/until";
import { HeldItemStep } from "./held-item.ts";
import { ResourcePackStep } from "./resource-pack.ts";
import type { ChallengeStep, StepContext, StepName } from "./step.ts";
import type { StepOutcome } from "../rules/step-outcome.ts";
import { VehicleStep } from "./vehicle.ts";

/**
 * Steps against mineflayer, a client written by others. It tells its selected place by itself; in a boat
 * it is silent and knows no boat's physics, and it leaves resource packs to its user. For these two its
 * process adds what the game says (tests/peers/limbo-players.mjs), written by its own library.
 */

/** The forms of all packets here: no boats, boats, pack ids, later keys and numbers. */
const versions = ["1.8.8", "1.12.2", "1.20.4", "1.21.4"];
const frameBytesMax = 0x1_ffff;

let server: Server | undefined;
let players: PeerProcess | undefined;
afterEach(async () => {
  await players?.kill();
  server?.close();
});

interface Report {
  readonly protocol: number;
  readonly outcomes: Partial<Record<StepName, StepOutcome>>;
  isOver: boolean;
}

/** A server that does nothing but let a player in and ask them one step after another. */
class LimboServer {
  readonly reports = new Map<number, Report>();
  readonly #stepsOf: (context: StepContext) => ChallengeStep[];

  constructor(stepsOf: (context: StepContext) => ChallengeStep[]) {
    this.#stepsOf = stepsOf;
  }

  serve(socket: Socket): void {
    let rest: Buffer = Buffer.alloc(0);
    let take = this.#loggingIn(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const frame = readFrame(rest, 0, frameBytesMax);
        if (frame.kind !== "packet") return;
        const fields = rest.subarray(frame.bodyStart, frame.bodyEnd);
        rest = rest.subarray(frame.bodyEnd);
        take = take(frame.id, fields) ?? take;
      }
    });
  }

  /** Handshake, Login Start, Login Acknowledged. */
  #loggingIn(socket: Socket): Take {
    return (_id, shake) => {
      const handshake = decodeHandshake(shake, 0, shake.length);
      if (!handshake.ok) throw new Error(handshake.reason);
      const { protocol } = handshake.handshake;
      return () => {
        socket.write(encodeLoginSuccess(protocol, { uuid: Buffer.alloc(16, 7), name: "Player" }));
        if (!acknowledgesLogin(protocol)) return this.#arriving(socket, protocol);
        return () => {
          socket.write(present(encodeLimboConfiguration(protocol)));
          return this.#configuring(socket, protocol);
        };
      };
    };
  }

  #configuring(socket: Socket, protocol: number): Take {
    const finished = packetIds.configuration.toServer.finishConfiguration(protocol);
    return (id) => (id === finished ? this.#arriving(socket, protocol) : undefined);
  }

  #arriving(socket: Socket, protocol: number): Take {
    socket.write(present(encodeLimboArrival(protocol, 1)));
    return (id, fields) => {
      const packet = decodeLimboPacket(protocol, id, fields, 0, fields.length);
      return packet.kind === "moved" ? this.#asking(socket, protocol) : undefined;
    };
  }

  #asking(socket: Socket, protocol: number): Take {
    const steps = this.#stepsOf({ protocol, language: "en", random: randomInt });
    const report: Report = { protocol, outcomes: {}, isOver: false };
    this.reports.set(protocol, report);
    let step: ChallengeStep | undefined;
    const next = (): void => {
      step = steps.shift();
      if (step === undefined) report.isOver = true;
      else socket.write(step.begin());
    };
    next();
    return (id, fields) => {
      const packet = decodeLimboPacket(protocol, id, fields, 0, fields.length);
      if (step === undefined) return undefined;
      const result = step.take(packet);
      const outcome = typeof result === "string" ? result : (result.outcome ?? "on");
      if (typeof result !== "string") socket.write(result.send);
      report.outcomes[step.name] = outcome;
      if (outcome !== "on" && outcome !== "answered") next();
      return undefined;
    };
  }
}

/** Takes a packet. @returns what takes the next one, if that changes */
type Take = (id: number, fields: Buffer) => Take | undefined;

function present(bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) throw new Error("the version has no such packet");
  return bytes;
}

async function play(
  stepsOf: (context: StepContext) => ChallengeStep[],
  options: { readonly versions: readonly string[]; readonly reflexes: boolean },
): Promise<Report[]> {
  const limbo = new LimboServer(stepsOf);
  server = createServer((socket) => limbo.serve(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  players = startPeer("limbo-players.mjs", { port, ...options });
  const areOver = (): boolean => {
    const over = [...limbo.reports.values()].filter(({ isOver }) => isOver);
    return over.length === options.versions.length;
  };
  await until(areOver, {
    capMs: 90_000,
    what: `the steps: ${JSON.stringify([...limbo.reports.values()])}`,
  });
  const errors = players.events.filter(({ event }) => event === "error" || event === "end");
  expect(errors).toEqual([]);
  return [...limbo.reports.values()];
}

test("real clients of four forms of the protocol pass every step that their version has", async () => {
  const stepsOf = (context: StepContext): ChallengeStep[] => [
    new HeldItemStep(context),
    ...(canSteerBoat(context.protocol) ? [new VehicleStep(context)] : []),
    ...(answersResourcePack(context.protocol) ? [new ResourcePackStep(context)] : []),
  ];
  const reports = await play(stepsOf, { versions, reflexes: true });
  for (const { protocol, outcomes } of reports) {
    expect(outcomes).toEqual({
      "held-item": "passed",
      ...(canSteerBoat(protocol) ? { vehicle: "passed" } : {}),
      ...(answersResourcePack(protocol) ? { "resource-pack": "passed" } : {}),
    });
  }
});
