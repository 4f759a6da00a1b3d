type Write = (fields: object, message: string) => void;

/** The part of a pino logger this package uses. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
