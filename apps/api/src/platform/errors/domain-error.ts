import { errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import type { TextKey } from "@palisade/contract/texts/en";

/** A refused field: its dotted path and the key of the text to show beside it. */
export interface FieldIssue {
  readonly path: string;
  readonly code: TextKey;
}

export interface DomainErrorOptions {
  readonly issues?: readonly FieldIssue[];
  /** Instead of the code's own text, when the caller can be told more. */
  readonly text?: TextKey;
  /** Fill the placeholders of the public text. */
  readonly values?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** For the log only; never shown. */
  readonly cause?: unknown;
}

/** The caller did something wrong or forbidden; the translator makes problem+json of it. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly text: TextKey;
  readonly issues: readonly FieldIssue[];
  readonly values: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    super(code, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.status = errorStatus[code];
    this.text = options.text ?? `error.${code}`;
    this.issues = options.issues ?? [];
    this.values = options.values ?? {};
    this.headers = options.headers ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A 422 for fields the schema alone cannot judge. */
export function fieldError(path: string, code: TextKey): DomainError {
  return new DomainError("validation_failed", { issues: [{ path, code }] });
}
