import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { IconEye, IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Banner } from "#src/ui/banner.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { MayChange } from "./may-change.ts";
import type { SectionName } from "./sections.ts";
import { mayChangeIn, mayOpen } from "./shield-rights.ts";
import classes from "./shield.module.css";

interface SectionRightsProps {
  readonly shield: Server;
  readonly section: SectionName;
  readonly children: ReactNode;
}

/** A section as far as the member's role goes: whole, only to read, or not at all. */
export function SectionRights({ shield, section, children }: SectionRightsProps) {
  const { t } = useLingui();
  if (!mayOpen(shield, section)) {
    return (
      <Panel>
        <EmptyState
          icon={<IconLock size={22} stroke={1.6} />}
          title={t`Your role does not include this section`}
          text={t`Ask the owner of the shield for the right to see it.`}
        />
      </Panel>
    );
  }
  if (mayChangeIn(shield, section)) return children;
  return (
    <>
      <div className={classes["viewing"]}>
        <Banner tone="neutral" icon={<IconEye size={17} stroke={1.6} />}>
          <Trans>
            You may view this section. The owner of the shield can give you the right to change it.
          </Trans>
        </Banner>
      </div>
      <MayChange value={false}>{children}</MayChange>
    </>
  );
}
