import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { sampleDomain, sampleShield } from "@palisade/testing/sample-shield";
import { expect, test } from "vitest";
import { FakeConnection } from "#src/testing/fuzz/fake-connection.ts";
import { createFuzzEdge } from "#src/testing/fuzz/fuzz-edge.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { beginJava } from "./handshake.ts";

/** Players of one shield that the edge of the fuzz tests checks at once. */
const perShieldMax = 12;
const names = ["Anna", "Bela", "Carl", "Dora", "Emil", "Fred", "Gina", "Hugo", "Ines", "Jack"];
const longText = "§cСлишком §eмного §aигроков\n".repeat(70);

function edgeWith(text: string) {
  const edge = createFuzzEdge(new Random(1));
  const plain = sampleShield();
  edge.shields.apply({
    ...plain,
    shield_id: "0190a000-0000-7000-8000-000000000099",
    label: "crowded.gs.localhost",
    domains: [sampleDomain("crowded.example")],
    mitigation: { ...plain.mitigation, antibot: "high" },
    messages: { ...plain.messages, max_connections: text },
  });
  return edge;
}

/** @returns the first bytes of a new player, and the answer to them */
function join({ ingress, deps }: ReturnType<typeof edgeWith>, n: number) {
  const heard: Buffer[] = [];
  const socket = new FakeConnection({
    remoteAddress: `198.51.${n}.7`,
    isSlow: false,
    fault: (what) => {
      throw new Error(what);
    },
    heard: (bytes) => void heard.push(Buffer.from(bytes)),
  });
  ingress.take(socket, (taken, key, connection) => beginJava(taken, key, connection, deps));
  const name = `${names[n % names.length]}_${n}`;
  const hello = Buffer.concat([
    encodeHandshake({ protocol: 767, host: "crowded.example", port: 25_565, intent: "login" }),
    encodeLoginStart(name, new Uint8Array(16)),
  ]);
  socket.deliver(hello);
  return { hello, answer: Buffer.concat(heard) };
}

test("a player who finds no room in the check reads why, in no more than twenty times their bytes", () => {
  const edge = edgeWith(`${longText}§8{trace}`);
  for (let n = 0; n < perShieldMax; n++) join(edge, n);
  expect(edge.verification.inProgress).toBe(perShieldMax);
  const { hello, answer } = join(edge, perShieldMax);
  expect(answer.length).toBeLessThanOrEqual(20 * hello.length);
  expect(answer.toString("utf8")).toMatch(/Слишком много игроков.*…\\n[A-Z0-9]{8}"/);
});

test("a text that is short enough is sent as it is", () => {
  const edge = edgeWith("§cToo many players, {player}");
  for (let n = 0; n < perShieldMax; n++) join(edge, n);
  const { answer } = join(edge, perShieldMax);
  expect(answer.toString("utf8")).toContain(`{"text":"Too many players, Carl_12","color":"red"}`);
});
