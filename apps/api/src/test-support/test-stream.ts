import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { routes } from "@palisade/contract/http/routes";
import { mountedPath } from "@palisade/contract/http/route";
import { streamLine, type StreamLine } from "@palisade/contract/edge/stream";
import { until } from "@palisade/testing/until";
import type { TestApp } from "./test-app.ts";
import type { TestEdge } from "./test-shields.ts";
import { call } from "./test-users.ts";

export interface TestStream {
  readonly status: number;
  /** Everything received so far. */
  readonly lines: StreamLine[];
  ended(): boolean;
  /** The first line of that kind not taken yet; waits for it. */
  next<K extends StreamLine["kind"]>(kind: K): Promise<Extract<StreamLine, { kind: K }>>;
  close(): void;
}

export interface StreamQuery {
  readonly since?: number;
  readonly schema?: number;
  readonly edge?: string;
  readonly epoch?: string;
  readonly program_version?: string;
}

/** Tells the api that the node runs the version, and says how the node then goes on from it. */
export async function reachVersion(
  testApp: TestApp,
  edge: TestEdge,
  version: number,
): Promise<Required<Omit<StreamQuery, "schema" | "program_version">>> {
  const { epoch } = await testApp.platform.db
    .selectFrom("config_head")
    .select("epoch")
    .executeTakeFirstOrThrow();
  await call(testApp, routes.edge.acks, { token: edge.credential, body: { version, acks: [] } });
  return { since: version, edge: edge.id, epoch };
}

/** A configuration stream over a real socket; each line is checked against the contract. */
export async function openTestStream(
  testApp: TestApp,
  edge: TestEdge,
  query: StreamQuery = {},
): Promise<TestStream> {
  const url = new URL(mountedPath(routes.edge.configStream), await testApp.listen());
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const ending = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${edge.credential}` },
    signal: ending.signal,
  });
  const lines: StreamLine[] = [];
  const taken = new Set<StreamLine>();
  let ended = false;
  const read = async (): Promise<void> => {
    if (response.status !== 200 || response.body === null) return;
    // undici's and node's stream types differ in name only.
    const body = Readable.fromWeb(response.body as never);
    body.on("error", () => undefined);
    for await (const text of createInterface({ input: body })) {
      lines.push(streamLine.parse(JSON.parse(text)));
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  return {
    status: response.status,
    lines,
    ended: () => ended,
    async next(kind) {
      const line = await until(() => lines.find((each) => each.kind === kind && !taken.has(each)), {
        what: `a ${kind} line`,
      });
      taken.add(line);
      // Found by its kind.
      return line as never;
    },
    close: () => ending.abort(),
  };
}
