import { expect, test } from "vitest";
import { readCappedBody } from "./capped-body.ts";

/** An answer that sends `parts`, and tells whether its reader has left before the end. */
function answerOf(parts: readonly string[]) {
  const left = { isLeft: false };
  const rest = [...parts];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = rest.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(Buffer.from(part));
      },
      cancel() {
        left.isLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { answer: new Response(body), left, rest };
}

test("a body as large as the limit is read whole", async () => {
  const { answer, left } = answerOf(["ab", "", "cde"]);
  expect((await readCappedBody(answer, 5))?.toString()).toBe("abcde");
  expect(left.isLeft).toBe(false);
});

test("a larger one is left at the first byte beyond it", async () => {
  const { answer, left, rest } = answerOf(["ab", "cdef", "never asked for"]);
  expect(await readCappedBody(answer, 5)).toBeUndefined();
  expect([left.isLeft, rest]).toEqual([true, ["never asked for"]]);
});

test("an answer without a body is empty", async () => {
  expect(await readCappedBody(new Response(null, { status: 204 }), 5)).toEqual(Buffer.alloc(0));
});

test("a connection that breaks off is an error, not a short body", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from("ab")),
    pull: (controller) => controller.error(new Error("broken off")),
  });
  await expect(readCappedBody(new Response(body), 5)).rejects.toThrow("broken off");
});
