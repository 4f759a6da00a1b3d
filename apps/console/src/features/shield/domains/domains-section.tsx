import type { Server } from "@palisade/contract/http/servers";
import type { Change } from "../receipt.tsx";
import { CnamePanel } from "./cname-panel.tsx";
import { DomainsPanel } from "./domains-panel.tsx";
import classes from "./domains.module.css";
import { RegionPanel } from "./region-panel.tsx";

interface DomainsSectionProps {
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

export function DomainsSection({ server, onChange }: DomainsSectionProps) {
  return (
    <div className={classes["section"]}>
      <div className={classes["columns"]}>
        <CnamePanel cname={server.cname_record} />
        <RegionPanel serverId={server.id} onChange={onChange} />
      </div>
      <DomainsPanel server={server} onChange={onChange} />
    </div>
  );
}
