import { fieldError } from "#src/platform/errors/domain-error.ts";

/** Where a list that is ordered by time and id goes on. */
export interface TimeCursor {
  readonly at: Date;
  readonly id: string;
}

const form = /^(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function writeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString("base64url");
}

/** @throws DomainError where it is none that `writeCursor` has made */
export function readCursor(text: string | undefined): TimeCursor | undefined {
  if (text === undefined) return undefined;
  const [, time, id] = form.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (time === undefined || id === undefined) throw fieldError("cursor", "cursor.invalid");
  return { at: new Date(Number(time)), id };
}
