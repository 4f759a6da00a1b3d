/** The mailbox that is looked into. */
export interface ImapConfig {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
}

/** How customers answer tickets by mail. */
export interface SupportMailConfig {
  /** Plain: `support@example.com`. Reply addresses are made from it. */
  readonly address: string;
  /** Undefined: no port is opened. */
  readonly smtp: { readonly host: string; readonly port: number } | undefined;
  /** Undefined: no mailbox is read. */
  readonly imap: ImapConfig | undefined;
}
