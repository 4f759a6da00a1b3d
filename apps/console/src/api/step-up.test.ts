import { CallError } from "@palisade/contract/http/client";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";

const stored = new Map([["access_token", "pal_first"]]);
// No view as a customer.
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});
vi.stubGlobal("addEventListener", () => undefined);
const { StepUpDeclined, useStepUp, withStepUp } = await import("./step-up.ts");
const { endSession } = await import("./session.ts");

const refused = new CallError(403, {
  type: "about:blank",
  title: "Forbidden",
  status: 403,
  code: "step_up_required",
  message: "Please confirm that it is you",
  issues: [],
});

/** Refused until the user has confirmed their identity. */
function guarded() {
  let known = false;
  const action = async () => {
    if (!known) throw refused;
    return "done";
  };
  return { action, confirm: () => (known = true) };
}

const asked = () => vi.waitUntil(() => useStepUp.getState().asked);

afterEach(() => useStepUp.setState({ asked: null }));
afterAll(() => vi.unstubAllGlobals());

describe("withStepUp", () => {
  test("a call that is allowed at once asks nothing", async () => {
    expect(await withStepUp(async () => 7)).toBe(7);
    expect(useStepUp.getState().asked).toBeNull();
  });

  test("a call refused for lack of recent authentication is repeated after it", async () => {
    const { action, confirm } = guarded();
    const result = withStepUp(action);
    const question = await asked();
    confirm();
    question.confirmed();
    expect(await result).toBe("done");
    expect(useStepUp.getState().asked).toBeNull();
  });

  test("a user who declines is told of their choice, not of a failure", async () => {
    const result = withStepUp(guarded().action);
    void asked().then(({ declined }) => declined());
    await expect(result).rejects.toBeInstanceOf(StepUpDeclined);
  });

  test("an open confirmation ends with the session: the action never runs as the next user", async () => {
    const { action, confirm } = guarded();
    const run = vi.fn<typeof action>(action);
    const result = withStepUp(run);
    const { confirmed } = await asked();
    endSession("expired", "pal_first");
    await expect(result).rejects.toBeInstanceOf(StepUpDeclined);
    expect(useStepUp.getState().asked).toBeNull();
    confirm();
    confirmed();
    await Promise.resolve();
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("any other refusal is passed on as it is", async () => {
    const failure = new CallError(500, null);
    await expect(withStepUp(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  test("two actions that need it at the same time share one question", async () => {
    const { action, confirm } = guarded();
    const both = Promise.all([withStepUp(action), withStepUp(action)]);
    await asked();
    await Promise.resolve();
    confirm();
    (await asked()).confirmed();
    expect(await both).toEqual(["done", "done"]);
  });
});
