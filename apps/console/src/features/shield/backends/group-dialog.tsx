import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  createGroupBody,
  everyRegion,
  type BackendGroup,
  type Backends,
} from "@palisade/contract/http/backends";
import { useId, useState } from "react";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { FieldError } from "#src/ui/field-error.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./backends.module.css";
import { GroupConflict } from "./group-conflict.tsx";
import {
  changedValues,
  diffGroup,
  valuesOf,
  type GroupDiff,
  type GroupValues,
} from "./group-diff.ts";
import { balancingLabels, gameLabels } from "./labels.ts";
import type { BackendChanges } from "./use-backends.ts";

interface GroupDialogProps {
  /** Null to create one. */
  readonly group: BackendGroup | null;
  readonly regions: Backends["available_regions"];
  readonly changes: BackendChanges;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

const newGroup: GroupValues = {
  name: "",
  game: "minecraft",
  region: everyRegion,
  load_balancing: "round_robin",
  proxy_protocol: false,
  default: false,
};

export function GroupDialog({ group, regions, changes, onClose, onCreated }: GroupDialogProps) {
  const { t, i18n } = useLingui();
  const id = useId();
  // Saves are based on this version; after a conflict it becomes the other user's version.
  const [base, setBase] = useState(group);
  const [conflict, setConflict] = useState<{ base: BackendGroup; diff: GroupDiff } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { form, field, submit, placeIssues } = useContractForm(
    createGroupBody,
    group === null ? newGroup : valuesOf(group),
  );
  const { values } = form;
  const isOther = values.game === "other";

  function refuse(error: unknown) {
    const reason = errorText(error, t`The server could not be reached`);
    const text = base === null ? reason : t`Error updating backend group: ${reason}`;
    if (!placeIssues(fieldIssues(error))) toast("error", text);
  }

  async function showConflict(before: BackendGroup, typed: GroupValues) {
    const now = await changes.reread(before);
    if (now === undefined) {
      toast("error", t`This group has been deleted in the meantime`);
      onClose();
      return;
    }
    // Untouched fields follow the other user's version; typed values stay.
    form.setValues({ ...valuesOf(now), ...changedValues(valuesOf(before), typed) });
    setConflict({ base: now, diff: diffGroup(before, now) });
    setBase(now);
  }

  async function save(typed: GroupValues) {
    setIsBusy(true);
    try {
      const name = typed.name.trim();
      const body = { ...typed, name };
      if (base === null) {
        const { data } = await changes.create.mutateAsync(body);
        onCreated(data.backend.id);
      } else {
        await changes.update.mutateAsync({
          group: base,
          body: changedValues(valuesOf(base), body),
        });
      }
      onClose();
    } catch (error) {
      if (base !== null && hasCode(error, "precondition_failed")) {
        await showConflict(base, typed).catch(refuse);
      } else refuse(error);
    } finally {
      setIsBusy(false);
    }
  }

  const errorOf = (text: string | undefined) =>
    text === undefined ? undefined : <FieldError text={text} />;
  const name = field("name");
  const known = regions.some(({ value }) => value === values.region);
  return (
    <Dialog
      opened
      wide
      title={group === null ? t`Create group` : t`Edit group`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={id} loading={isBusy}>
            {group === null ? <Trans>Create group</Trans> : <Trans>Save</Trans>}
          </ActionButton>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className={classes["fields"]}
        onSubmit={submit((typed) => void save(typed))}
      >
        {conflict ? <GroupConflict diff={conflict.diff} now={conflict.base} /> : null}
        <TextInput
          {...name}
          error={errorOf(name.error)}
          label={t`Name`}
          autoComplete="off"
          data-autofocus
        />
        <div className={classes["pair"]}>
          <NativeSelect
            {...field("game")}
            label={t`Game`}
            disabled={base?.default === true}
            data={Object.entries(gameLabels).map(([value, label]) => ({
              value,
              label: i18n._(label),
            }))}
          />
          <NativeSelect
            {...field("region")}
            label={t`Region`}
            data={[
              ...regions.map(({ value, display_name: label }) => ({ value, label })),
              ...(known || base === null ? [] : [{ value: base.region, label: base.region_name }]),
            ]}
          />
        </div>
        {isOther ? (
          <p className={classes["hint"]}>
            <Trans>
              Players connect to a separate TCP port, the same on every edge. The port is shown once
              the group is saved.
            </Trans>
          </p>
        ) : null}
        <NativeSelect
          {...field("load_balancing")}
          label={t`Load balancing`}
          description={<BalancingHint method={values.load_balancing} />}
          data={Object.entries(balancingLabels).map(([value, label]) => ({
            value,
            label: i18n._(label),
          }))}
        />
        <Switch
          {...field("proxy_protocol", { type: "checkbox" })}
          label={t`PROXY protocol`}
          description={t`Sends players' real IP addresses to your server. Turn PROXY protocol on there as well, or players cannot join.`}
          withThumbIndicator={false}
        />
        <Switch
          {...field("default", { type: "checkbox" })}
          label={t`Default group`}
          description={
            base?.default === true
              ? t`To change this, make another group the default one.`
              : t`Receives players when no other group matches.`
          }
          disabled={base?.default === true || isOther}
          withThumbIndicator={false}
        />
      </form>
    </Dialog>
  );
}

function BalancingHint({ method }: { method: GroupValues["load_balancing"] }) {
  const { t } = useLingui();
  const hints = {
    round_robin: t`Players are sent to the servers in turn.`,
    least_connections: t`Players are sent to the server with the fewest players.`,
    ip_hash: t`Each player always joins the same server.`,
    random: t`Players are sent to a random server.`,
  };
  return <>{hints[method]}</>;
}
