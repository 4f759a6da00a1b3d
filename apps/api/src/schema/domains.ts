interface DomainProofsTable {
  domain: string;
  cname_record: string;
  user_id: string;
  proven_at: Date;
  supersedes: string | null;
}

export interface DomainsTables {
  domain_proofs: DomainProofsTable;
}
