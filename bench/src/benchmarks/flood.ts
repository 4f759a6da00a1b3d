import { encodeLoginSuccess } from "@palisade/minecraft-protocol/java/login-success";
import {
  benchShields,
  protectedShields,
  protocol,
  refusalPacket,
  requests,
  strangersLogin,
} from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import { cpuUsOfTree } from "@palisade/testing/process-stats";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, type NumberRange, runExchanges } from "#src/programs/exchange-load.ts";
import { haproxyMissing, startHaproxy } from "#src/programs/haproxy.ts";
import type { Program } from "#src/programs/program.ts";
import { startResponder } from "#src/programs/responder.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";
import { exchanges } from "./answers.ts";
import { compare, interleaved, type Measured } from "./interleaved-rounds.ts";

const traceMark = "@@@@@@@@";
const anyTrace = "..".repeat(traceMark.length);
const refused = refusalPacket(traceMark)
  .toString("hex")
  .replace(Buffer.from(traceMark).toString("hex"), anyTrace);

/** More logins than one address may make, from fewer addresses than the tables hold. */
export const counted: Exchange = {
  name: "login refused by the rates",
  steps: [{ send: requests.counted.toString("hex"), expect: refused }],
  closes: "server",
  sources: 64,
};
const rejected: Exchange = {
  name: "rejected",
  steps: [{ send: "", expect: "" }],
  closes: "server",
};
const digits = 8;
export const everyName: NumberRange = { from: 0, count: 99_999_999 };

interface FloodServer {
  readonly name: string;
  readonly program: Program;
  readonly port: number;
  readonly exchange: Exchange;
}

const ours = "palisade";

/** The CPU cost of bots at the highest rate of one core. */
export const flood: Benchmark = {
  name: "flood",
  missing: compilerMissing,
  async run({ rounds, seconds, say }) {
    const edge = await startEdge([...benchShields(9), ...protectedShields()]);
    const responder = await startResponder({ statusAnswer, kick: refusalPacket("00000000") });
    const servers: FloodServer[] = [
      { name: ours, program: edge, port: edge.port, exchange: counted },
      { name: "C (kick)", program: responder, port: responder.port, exchange: exchanges.kick },
    ];
    if (haproxyMissing === undefined) {
      const options = { statusAnswer, kick: refusalPacket("00000000"), backendPort: 9 };
      const program = await startHaproxy(options);
      servers.push({
        name: "HAProxy (reject)",
        program,
        port: program.rejectPort,
        exchange: rejected,
      });
    }
    try {
      say(`flood: ${counted.name}`);
      const refusals = await interleaved(servers, rounds, ({ program, port, exchange }) =>
        cpuEach(program, async () => (await runExchanges(port, exchange, seconds)).done),
      );
      say("flood: bots that get a challenge");
      const own = [{ name: ours }];
      const begun = await interleaved(own, rounds, () =>
        cpuEach(edge, async () => {
          const { done } = await runExchanges(edge.port, stranger(), seconds, everyName);
          return done;
        }),
      );
      return [
        row(counted.name, refusals, "HAProxy hangs up without reading; C reads and kicks"),
        row("bot asked to show itself, level High", begun, "handshake and login, then gone"),
      ];
    } finally {
      for (const { program } of servers) await program.stop();
    }
  },
};

/** CPU of the program and all that it has started, for each of the exchanges that `work` has done. */
export async function cpuEach({ pid }: Program, work: () => Promise<number>): Promise<number> {
  const before = cpuUsOfTree(pid);
  const done = await work();
  return (cpuUsOfTree(pid) - before) / done;
}

/** Each bot has its own name. */
export function stranger(): Exchange {
  const name = `Bot${"0".repeat(digits)}`;
  const zeros = Buffer.from("0".repeat(digits)).toString("hex");
  const uuid = Buffer.alloc(16, 0xee);
  const success = encodeLoginSuccess(protocol, { uuid, name }).toString("hex");
  return {
    name: "bot asked to show itself",
    steps: [
      {
        send: strangersLogin(name).toString("hex").replace(zeros, "..".repeat(digits)),
        expect: success
          .replace(uuid.toString("hex"), "..".repeat(uuid.length))
          .replace(zeros, "..".repeat(digits)),
      },
    ],
    closes: "client",
  };
}

function row(measure: string, values: ReadonlyMap<string, readonly number[]>, note: string): Row {
  const measured: Measured = Object.fromEntries(values);
  const compared = compare(measured, ours, "C (kick)", "efficiency");
  return { benchmark: "flood", measure: `${measure}: CPU each`, unit: "µs", ...compared, note };
}
