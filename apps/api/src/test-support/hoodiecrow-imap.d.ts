declare module "hoodiecrow-imap" {
  import type { Server } from "node:net";

  export interface StoredMessage {
    readonly raw: string;
    flags?: string[];
    readonly uid?: number;
  }

  interface ImapServer {
    readonly server: Server;
    readonly storage: Record<string, { readonly messages: StoredMessage[] }>;
    appendMessage(mailbox: string, flags: string[], date: boolean, raw: string): void;
    listen(port: number, host: string, listening: () => void): void;
    close(closed: () => void): void;
  }

  /** An IMAP server in memory, for the user `testuser` with the password `testpass`. */
  export default function hoodiecrow(options: {
    readonly plugins: readonly string[];
    readonly storage: Record<string, { readonly messages: readonly StoredMessage[] }>;
  }): ImapServer;
}
