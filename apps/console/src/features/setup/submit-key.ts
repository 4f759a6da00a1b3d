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
