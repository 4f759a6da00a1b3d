import type { Timestamp } from "./columns.ts";

export interface CertificatesTable {
  domain: string;
  /** PEM, the leaf first; null until the CA has issued one. */
  chain: string | null;
  sealed_key: string | null;
  order_blocked_until: Timestamp | null;
  failures: number;
}

export interface AcmeAccountsTable {
  directory_url: string;
  sealed_key: string;
}

export interface AcmeChallengesTable {
  token: string;
  answer: string;
  expires_at: Timestamp;
}

export interface CertificatesTables {
  certificates: CertificatesTable;
  acme_accounts: AcmeAccountsTable;
  acme_challenges: AcmeChallengesTable;
}
