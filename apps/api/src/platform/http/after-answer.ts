import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** @param hasLeft the caller went away before the answer was known */
type Work = (reply: FastifyReply, hasLeft: boolean) => void | Promise<void>;

interface Progress {
  isAnswered: boolean;
  /** The whole answer was sent, or the caller has gone. */
  isOver: boolean;
  hasLeft: boolean;
  works: readonly Work[];
}

const progress = new WeakMap<FastifyRequest, Progress>();

/**
 * Runs `work` once, when the answer is known and its connection is done with it. A caller who leaves
 * before the answer cannot avoid it: Fastify's `onResponse` would then never come over HTTP/1.1, and over
 * HTTP/2 before the handler has decided anything.
 */
export function afterAnswer(request: FastifyRequest, work: Work): void {
  const state = progress.get(request);
  if (state === undefined) throw new Error("Answers are not tracked");
  state.works = [...state.works, work];
}

/** Has to be called before hooks that call `afterAnswer`. */
export function trackAnswers(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    const state: Progress = { isAnswered: false, isOver: false, hasLeft: false, works: [] };
    progress.set(request, state);
    const onOver = (): void => {
      state.isOver = true;
      runWhenDone(state, reply);
    };
    reply.raw.once("finish", onOver).once("close", onOver);
  });
  app.addHook("onSend", async (request, reply) => {
    const state = progress.get(request);
    if (state === undefined) return;
    state.isAnswered = true;
    state.hasLeft = state.isOver;
    runWhenDone(state, reply);
  });
}

function runWhenDone(state: Progress, reply: FastifyReply): void {
  if (!state.isAnswered || !state.isOver) return;
  const { works } = state;
  state.works = [];
  for (const work of works) {
    void Promise.resolve(work(reply, state.hasLeft)).catch((error: unknown) =>
      reply.log.error({ err: error }, "The work after an answer has failed"),
    );
  }
}
