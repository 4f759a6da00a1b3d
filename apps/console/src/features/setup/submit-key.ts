import type { CreateServerBody } from "@palisade/contract/http/servers";
import { changeDraft, useDraft } from "./draft.ts";

/**
 * The `Idempotency-Key` of a submit. The same body sent again after an answer that never came
 * keeps its key, also across a reload, so that a shield is bought once; any other gets a new one.
 * It is stored before anything is sent.
 */
export function beginSubmit(body: CreateServerBody): string {
  const text = JSON.stringify(body);
  const unanswered = useDraft.getState().draft.submit;
  if (unanswered?.body === text) return unanswered.key;
  const key = crypto.randomUUID();
  changeDraft({ submit: { key, body: text } });
  return key;
}

/**
 * Whether something was changed since a submit whose answer never came. That one may have bought
 * the shield already, so this one must not go out before that is known.
 */
export function isOtherThanUnanswered(body: CreateServerBody): boolean {
  const unanswered = useDraft.getState().draft.submit;
  return unanswered !== null && unanswered.body !== JSON.stringify(body);
}
