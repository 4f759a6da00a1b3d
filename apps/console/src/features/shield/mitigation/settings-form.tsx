import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import type { Change } from "../receipt.tsx";
import type { Versioned } from "../shield.queries.ts";
import type { Settings } from "./mitigation.queries.ts";
import { MitigationConflict } from "./mitigation-conflict.tsx";
import classes from "./mitigation.module.css";
import {
  changedSettings,
  mergeTyped,
  settingNames,
  settingsOf,
  tabOf,
  tabs,
  type Tab,
  type Typed,
} from "./settings.ts";
import { ShadowPanel } from "./shadow-panel.tsx";
import { AntibotTab, GeneralTab, MiscellaneousTab } from "./tabs.tsx";
import { useMitigationForm } from "./use-mitigation-form.ts";
import { useSaveMitigation } from "./use-save-mitigation.ts";
import type { Versions } from "./version-range.ts";

interface SettingsFormProps {
  readonly server: Server;
  readonly tab: Tab;
  readonly stored: Versioned<Settings>;
  readonly versions: Versions;
  readonly readOnly: boolean;
  readonly onChange: (change: Change) => void;
}

/** Three tabs of one form: what is typed on one is still there on the others, and saved with them. */
export function SettingsForm(props: SettingsFormProps) {
  const { server, tab, stored, versions, readOnly, onChange } = props;
  // What the form was filled from: differences and If-Match refer to it, not to later reads.
  const [read, setRead] = useState(stored);
  const [theirs, setTheirs] = useState<Partial<Typed> | null>(null);
  const use = useMitigationForm(stored.value, versions, readOnly);
  const { form, submit, placeIssues } = use;
  const before = settingsOf(read.value, versions);
  const changed = changedSettings(before, form.values);
  const dirty = Object.keys(changed).length > 0;
  const place = useRef<HTMLFormElement>(null);
  const reveal = useReveal(tab, place);

  const save = useSaveMitigation(server.id, {
    onSaved: (now, change) => {
      setRead(now);
      closeConflict();
      form.setValues(settingsOf(now.value, versions));
      onChange(change);
    },
    onConflict: (now) => {
      const current = settingsOf(now.value, versions);
      setTheirs(changedSettings(before, current));
      form.setValues(mergeTyped(before, form.values, current));
      setRead(now);
    },
    placeIssues: (issues) => {
      const isPlaced = placeIssues(issues);
      if (isPlaced) reveal(Object.keys(issues));
      return isPlaced;
    },
  });
  const send = () => save.mutate({ changed, etag: read.etag });

  /** Its buttons go: the focus returns to where it came from. */
  function closeConflict() {
    if (!theirs) return;
    setTheirs(null);
    place.current?.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
  }

  function keepTheirs() {
    form.setValues({ ...form.values, ...theirs });
    closeConflict();
  }

  // A later read fills the form only while nothing has been changed.
  useEffect(() => {
    if (dirty || stored === read) return;
    // oxlint-disable-next-line react/set-state-in-effect -- the form's own store is set beside it
    setRead(stored);
    form.setValues(settingsOf(stored.value, versions));
  }, [stored, read, dirty, form, versions]);

  const plan = stored.value;
  return (
    <form
      className={classes["form"]}
      noValidate
      ref={place}
      onSubmit={submit(() => {
        if (dirty && !readOnly && !theirs) send();
      }, reveal)}
    >
      <UnsavedGuard dirty={dirty} acrossTabs />
      <ShadowPanel
        field={use.toggle("shadow_mode")}
        disabled={readOnly}
        isStored={read.value.shadow_mode}
        shadowed={stored.value.shadowed_24h ?? {}}
      />
      <Tabs tab={tab} changed={changed} />
      <Panel className={classes["panel"]}>
        <div className={classes["tab"]} hidden={tab !== "general"}>
          <GeneralTab use={use} versions={versions} />
        </div>
        <div className={classes["tab"]} hidden={tab !== "antibot"}>
          <AntibotTab use={use} server={server} plan={plan} />
        </div>
        <div className={classes["tab"]} hidden={tab !== "miscellaneous"}>
          <MiscellaneousTab use={use} server={server} plan={plan} />
        </div>
        {theirs ? (
          <MitigationConflict
            key={read.etag}
            theirs={theirs}
            isSaving={save.isPending}
            onKeepMine={send}
            onKeepTheirs={keepTheirs}
          />
        ) : null}
        <div className={classes["save"]}>
          <p className="dim">
            <Trans>Saves all three tabs. Players who are on stay on.</Trans>
          </p>
          <ActionButton
            type="submit"
            disabled={readOnly || !dirty || theirs !== null}
            loading={save.isPending}
          >
            <Trans>Save</Trans>
          </ActionButton>
        </div>
      </Panel>
    </form>
  );
}

/** Beside a tab: how much of it has not been saved yet. */
function Tabs({ tab, changed }: { tab: Tab; changed: Partial<Typed> }) {
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

/** Goes to the tab of the first of these fields, and into it once it is there. */
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
