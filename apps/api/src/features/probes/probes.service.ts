import { probeResult, type ProbeRequest, type ProbeResult } from "@palisade/contract/edge/probe";
import type { StreamLine } from "@palisade/contract/edge/stream";
import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import {
  deleteProbe,
  insertProbe,
  selectProbe,
  storeResult,
  moveToStream,
  takeProbes,
  type ProbePurpose,
} from "./probes.repository.ts";

export { selectProbeEdges } from "./probes.repository.ts";
import { createKeyedSignal } from "./keyed-signal.ts";

/** Something waits for the edge of the payload, or it may take more. */
const requestsChannel = "palisade_probes";
/** The probe of the payload was answered. */
const answersChannel = "palisade_probe_answers";
/** The edge of the payload has opened the stream of the payload. */
const streamsChannel = "palisade_probe_streams";

/** Safety nets for lost notifications. */
const requestPollMs = 30_000;
const answerPollMs = 500;
const retryMs = 1_000;
/** Looking took the whole deadline: the answer still has to come back. */
const wayBackMs = 1_000;

export interface ProbeQuestion extends Omit<ProbeRequest, "id"> {
  /** An edge that has not taken the request by then has no stream or is too busy. */
  readonly takenWithinMs: number;
  /** The user who asks; each user has a limited share of an edge. */
  readonly asker: string;
  readonly purpose: ProbePurpose;
}

/** How an address answers an edge. */
export type ProbeSeen = Omit<ProbeResult, "id">;

/** Brings probes to edges on their configuration streams, whichever replica holds them. */
export interface Probes {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Null when this edge could not be asked or did not answer in time. */
  ask(edgeId: string, question: ProbeQuestion, signal: AbortSignal): Promise<ProbeSeen | null>;
  /**
   * Writes the requests for the edge to its stream until `signal` aborts, or until the edge opens
   * another one. Resolves once no older stream of the edge is given a request any more. Never
   * rejects.
   */
  serve(edgeId: string, write: (line: string) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** False when the request is over or was given to another edge. */
  answer(edgeId: string, result: ProbeResult): Promise<boolean>;
}

export function createProbes(deps: {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
}): Probes {
  const { db, bus, log } = deps;
  const requests = createKeyedSignal();
  const answers = createKeyedSignal();
  /** Streams of this process that probes are written to. */
  const serving = new Map<string, { readonly edgeId: string; readonly end: () => void }>();
  const endings: (() => void)[] = [];
  const stopping = new AbortController();

  async function awaitAnswer(
    id: string,
    question: ProbeQuestion,
    signal: AbortSignal,
  ): Promise<ProbeSeen | null> {
    const began = performance.now();
    const sleeper = answers.waiter(id);
    try {
      while (!signal.aborted) {
        const row = await selectProbe(db, id);
        if (row === undefined) return null;
        if (row.result !== null) return probeResult.parse(JSON.parse(row.result));
        const limitMs =
          question.takenWithinMs + (row.is_given ? question.deadline_ms + wayBackMs : 0);
        const restMs = began + limitMs - performance.now();
        if (restMs <= 0) return null;
        await sleeper.next(Math.min(restMs, answerPollMs), signal);
      }
      return null;
    } finally {
      sleeper.end();
    }
  }

  function unreadable(error: unknown): null {
    log.warn({ err: error }, "Probes cannot be brought to edges just now");
    return null;
  }

  /** An edge reads only its newest stream: a request written to an abandoned one would be lost. */
  function supersede(payload: string): void {
    const [edgeId, newest] = payload.split(" ");
    for (const [id, stream] of serving) {
      if (stream.edgeId === edgeId && id !== newest) stream.end();
    }
  }

  /** Until `ended.any` aborts; `ended.stream` says that its reader has gone. Never rejects. */
  async function bringRequests(
    edgeId: string,
    streamId: string,
    write: (line: string) => Promise<void>,
    ended: { readonly stream: AbortSignal; readonly any: AbortSignal },
  ): Promise<void> {
    const sleeper = requests.waiter(edgeId);
    try {
      while (!ended.any.aborted) {
        const waiting = await takeProbes(db, edgeId, streamId).catch(unreadable);
        for (const request of waiting ?? []) {
          // The stream may have ended while the database was asked.
          if (ended.stream.aborted) return;
          await write(lineOf(request));
        }
        await sleeper.next(waiting === null ? retryMs : requestPollMs, ended.any);
      }
    } catch {
      // The reader has gone; the stream itself says why.
    } finally {
      sleeper.end();
    }
  }

  return {
    async start() {
      endings.push(await bus.listen(streamsChannel, supersede));
      for (const [channel, waker] of [
        [requestsChannel, requests],
        [answersChannel, answers],
      ] as const) {
        endings.push(
          await bus.listen(
            channel,
            (key) => waker.wake(key),
            () => waker.wakeAll(),
          ),
        );
      }
    },
    async stop() {
      stopping.abort();
      for (const end of endings) end();
    },

    async ask(edgeId, question, signal) {
      const { takenWithinMs, asker, purpose, ...rest } = question;
      const request: ProbeRequest = { id: newId(), ...rest };
      const lifeMs = takenWithinMs + rest.deadline_ms + 2 * wayBackMs;
      const isWaiting = await db.transaction().execute(async (trx) => {
        if (!(await insertProbe(trx, { edgeId, request, lifeMs, asker, purpose }))) return false;
        await bus.notify(trx, requestsChannel, edgeId);
        return true;
      });
      if (!isWaiting) return null;
      try {
        return await awaitAnswer(request.id, question, AbortSignal.any([signal, stopping.signal]));
      } finally {
        await deleteProbe(db, request.id);
      }
    },

    async serve(edgeId, write, streamSignal) {
      const id = newId();
      const superseded = new AbortController();
      const signal = AbortSignal.any([streamSignal, superseded.signal]);
      serving.set(id, { edgeId, end: () => superseded.abort() });
      await moveToStream(db, edgeId, id).catch(unreadable);
      await bus.notify(db, streamsChannel, `${edgeId} ${id}`).catch(unreadable);
      const ended = { stream: streamSignal, any: signal };
      void bringRequests(edgeId, id, write, ended).finally(() => serving.delete(id));
    },

    answer: (edgeId, result) =>
      db.transaction().execute(async (trx) => {
        if (!(await storeResult(trx, edgeId, result))) return false;
        await bus.notify(trx, answersChannel, result.id);
        await bus.notify(trx, requestsChannel, edgeId);
        return true;
      }),
  };
}

/** Stored as the JSON that goes out. */
function lineOf(request: string): string {
  const kind: StreamLine["kind"] = "probe";
  return `{"kind":"${kind}","probe":${request}}`;
}
