import { fieldError } from "#src/platform/errors/domain-error.ts";

/** The row after which a list ordered by time and id continues. */
export interface TimeCursor {
  readonly at: Date;
  readonly id: string;
}

const form = /^(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function writeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString("base64url");
}

/** @throws DomainError when `writeCursor` did not make it */
export function readCursor(text: string | undefined): TimeCursor | undefined {
  if (text === undefined) return undefined;
  const [, time, id] = form.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (time === undefined || id === undefined) throw fieldError("cursor", "cursor.invalid");
  return { at: new Date(Number(time)), id };
}
