import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useSearch } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { TabLinks } from "#src/ui/tab-links.tsx";
import type { Change } from "../receipt.tsx";
import classes from "./backends.module.css";
import { GroupsPanel } from "./groups-panel.tsx";
import { OriginPanel } from "./origin-panel.tsx";

interface BackendsSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function BackendsSection({ shield, onChange }: BackendsSectionProps) {
  const { t } = useLingui();
  const { tab } = useSearch({ from: paths.shield });
  const current = tab === "origin" ? "origin" : "groups";
  return (
    <div className={classes["section"]}>
      <TabLinks
        label={t`Backends`}
        current={current}
        tabs={[
          { name: "groups", label: t`Backend groups` },
          { name: "origin", label: t`Origin lockdown` },
        ]}
      />
      {current === "origin" ? (
        <OriginPanel shieldId={shield.id} />
      ) : (
        <GroupsPanel shield={shield} onChange={onChange} />
      )}
    </div>
  );
}
