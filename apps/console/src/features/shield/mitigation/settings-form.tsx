import { Trans, useLingui } from "@lingui/react/macro";
import type { Mitigation } from "@palisade/contract/http/mitigation";
import type { Server } from "@palisade/contract/http/servers";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Panel } from "#src/ui/panel.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import type { Change } from "../receipt.tsx";
import { SharedFormFooter } from "#src/features/shield/shared-form/shared-form-footer.tsx";
import type { Versioned } from "../shield.queries.ts";
import { mayOpen } from "../shield-rights.ts";
import classes from "./mitigation.module.css";
import { hintsOf } from "./hints.ts";
import { ReplayButton } from "./replay-button.tsx";
import { settingNames, tabOf, tabs, type Tab, type SettingValues } from "./settings.ts";
import { ShadowPanel } from "./shadow-panel.tsx";
import { AntibotTab, GeneralTab, MiscellaneousTab } from "./tabs.tsx";
import { ConflictingSettings } from "./conflicting-settings.tsx";
import { useMitigationForm } from "./use-mitigation-form.ts";
import type { Versions } from "./version-range.ts";

interface SettingsFormProps {
  readonly shield: Server;
  readonly tab: Tab;
  /** Shown if the settings cannot be read. */
  readonly fallback: Versioned<Mitigation>;
  readonly versions: Versions;
  readonly readOnly: boolean;
  readonly onChange: (change: Change) => void;
}

/** One form with three tabs: entries stay when the tab changes, and are saved together. */
export function SettingsForm({ shield, tab, versions, ...props }: SettingsFormProps) {
  const place = useRef<HTMLFormElement>(null);
  const reveal = useReveal(tab, place);
  const use = useMitigationForm({ ...props, shieldId: shield.id, versions, place, reveal });
  const { read, theirs, changed, readOnly } = use;
  const plan = use.stored.value;
  return (
    <form className={classes["form"]} noValidate ref={place} onSubmit={use.onSubmit}>
      <UnsavedGuard dirty={use.isDirty} acrossTabs />
      <ShadowPanel
        field={use.toggle("shadow_mode")}
        disabled={readOnly}
        isStored={read.value.shadow_mode}
        leavesOutChecks={hintsOf(use.form.values).has("shadow_without_verification")}
        shadowed={plan.shadowed_24h}
        wouldChallenge={plan.would_challenge_24h}
      />
      <Tabs tab={tab} changed={changed} />
      <Panel className={classes["panel"]}>
        <div className={classes["tab"]} hidden={tab !== "general"}>
          <GeneralTab use={use} versions={versions} />
        </div>
        <div className={classes["tab"]} hidden={tab !== "antibot"}>
          <AntibotTab use={use} shield={shield} plan={plan} />
        </div>
        <div className={classes["tab"]} hidden={tab !== "miscellaneous"}>
          <MiscellaneousTab use={use} shield={shield} plan={plan} />
        </div>
        <SharedFormFooter
          use={use}
          theirs={theirs ? <ConflictingSettings theirs={theirs} /> : null}
          note={<Trans>Saves all three tabs. Players who are online stay connected.</Trans>}
          beside={mayOpen(shield, "logs") ? <ReplayButton use={use} shieldId={shield.id} /> : null}
        />
      </Panel>
    </form>
  );
}

/** Each tab shows its number of unsaved settings. */
function Tabs({ tab, changed }: { tab: Tab; changed: Partial<SettingValues> }) {
  const { t } = useLingui();
  const labels: Record<Tab, string> = {
    general: t({ message: "General", context: "mitigation" }),
    antibot: "AntiBot",
    miscellaneous: t`Miscellaneous`,
  };
  const unsaved = (name: Tab) => Object.keys(changed).filter((each) => tabOf(each) === name).length;
  return (
    <TabLinks
      label={t`Mitigation`}
      current={tab}
      tabs={tabs.map((name) => ({
        name,
        label: labels[name],
        ...(unsaved(name) > 0 ? { count: unsaved(name) } : {}),
      }))}
    />
  );
}

/** Opens the tab of the first of the fields, then focuses the field. */
function useReveal(tab: Tab, place: React.RefObject<HTMLFormElement | null>) {
  const navigate = useNavigate();
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const name = wanted.current;
    if (name === null || tabOf(name) !== tab) return;
    wanted.current = null;
    place.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }, [tab, place]);
  return (paths: readonly string[]) => {
    const first = settingNames.find((name) => paths.includes(name));
    const its = first === undefined ? null : tabOf(first);
    if (first === undefined || its === null || its === tab) return;
    wanted.current = first;
    void navigate({
      to: ".",
      search: (all: Record<string, unknown>) => ({
        ...all,
        tab: its === "general" ? undefined : its,
      }),
    });
  };
}
