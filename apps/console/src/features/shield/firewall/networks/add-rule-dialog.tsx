import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { NetworkAction } from "@palisade/contract/edge/plain-values";
import { ruleNoteCharactersMax } from "@palisade/contract/http/network-rules";
import { useId, useMemo, useState, type SyntheticEvent } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { actionLabels } from "./action-labels.ts";
import classes from "./networks.module.css";
import { asnTyped, countryNames, countryTyped } from "./rule-subject.ts";
import type { NetworkRuleChanges, NewRule } from "./use-network-rules.ts";

type Subject = "country" | "network";
type Hours = "1" | "24" | "168" | "720";

const hourMs = 3_600_000;
/** The strictest first. */
const shownActions = ["block", "challenge", "allow"] as const satisfies readonly NetworkAction[];

interface AddRuleDialogProps {
  readonly add: NetworkRuleChanges["add"];
  readonly onClose: () => void;
}

export function AddRuleDialog({ add, onClose }: AddRuleDialogProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const formId = useId();
  const [subject, setSubject] = useState<Subject>("country");
  const [typed, setTyped] = useState("");
  const [action, setAction] = useState<NetworkAction>("block");
  const [note, setNote] = useState("");
  const [hours, setHours] = useState<Hours | "">("");
  const [error, setError] = useState<string | null>(null);

  function send(event: SyntheticEvent) {
    event.preventDefault();
    if (add.isPending) return;
    const named = subjectOf(subject, typed, locale);
    if (named === undefined) {
      setError(
        subject === "country"
          ? t`Choose a country of the list`
          : t`Enter the number of a network, such as AS64496`,
      );
      document.querySelector<HTMLElement>(`[name="${subject}"]`)?.focus();
      return;
    }
    const ends = hours === "" ? null : new Date(Date.now() + Number(hours) * hourMs).toISOString();
    add.mutate(
      { ...named, action, note, expires_at: ends },
      {
        onSuccess: onClose,
        onError: (failure) => {
          const issues = fieldIssues(failure);
          setError(
            issues["country"] ?? issues["asn"] ?? errorText(failure, t`Error adding the rule`),
          );
        },
      },
    );
  }

  return (
    <Dialog
      opened
      wide
      title={t`Add a rule`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={add.isPending}>
            <Trans>Add rule</Trans>
          </ActionButton>
        </>
      }
    >
      <form id={formId} className={classes["form"]} noValidate onSubmit={send}>
        <NativeSelect
          label={t`Rule for`}
          value={subject}
          data={[
            { value: "country", label: t`A country` },
            { value: "network", label: t`A network (AS number)` },
          ]}
          onChange={({ currentTarget }) => {
            setSubject(currentTarget.value === "network" ? "network" : "country");
            setTyped("");
            setError(null);
          }}
        />
        {subject === "country" ? (
          <CountryField typed={typed} error={error} onType={changeTyped} />
        ) : (
          <TextInput
            name="network"
            label={t`Network`}
            description={t`The network of a player is in the log, in the details of a login.`}
            inputWrapperOrder={["label", "input", "error", "description"]}
            placeholder="AS64496"
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: "mono" }}
            value={typed}
            error={error}
            onChange={({ currentTarget }) => changeTyped(currentTarget.value)}
          />
        )}
        <fieldset className={classes["actions"]}>
          <legend>
            <Trans>Action</Trans>
          </legend>
          {shownActions.map((each) => (
            <ChoiceCard
              key={each}
              name="action"
              value={each}
              checked={action === each}
              label={i18n._(actionLabels[each].name)}
              onChoose={() => setAction(each)}
            >
              <strong>{i18n._(actionLabels[each].name)}</strong>
              <span>{i18n._(actionLabels[each].effect)}</span>
            </ChoiceCard>
          ))}
        </fieldset>
        <div className={classes["pair"]}>
          <TextInput
            name="note"
            label={t`Note`}
            placeholder={t`Bots of the weekend`}
            autoComplete="off"
            maxLength={ruleNoteCharactersMax}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <NativeSelect
            name="expires_at"
            label={t`Ends`}
            value={hours}
            data={[
              { value: "", label: t`Never` },
              { value: "1", label: t`In 1 hour` },
              { value: "24", label: t`In 1 day` },
              { value: "168", label: t`In 7 days` },
              { value: "720", label: t`In 30 days` },
            ]}
            // The options are the choices.
            onChange={({ currentTarget }) => setHours(currentTarget.value as Hours | "")}
          />
        </div>
      </form>
    </Dialog>
  );

  function changeTyped(text: string) {
    setTyped(text);
    setError(null);
  }
}

interface CountryFieldProps {
  readonly typed: string;
  readonly error: string | null;
  readonly onType: (text: string) => void;
}

/** A field that offers the names of countries while one is typed. */
function CountryField({ typed, error, onType }: CountryFieldProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const listId = useId();
  const names = useMemo(() => countryNames(locale), [locale]);
  return (
    <>
      <TextInput
        name="country"
        label={t`Country`}
        placeholder={t`Type a name`}
        list={listId}
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

function subjectOf(
  subject: Subject,
  typed: string,
  locale: string,
): Pick<NewRule, "country"> | Pick<NewRule, "asn"> | undefined {
  if (subject === "country") {
    const country = countryTyped(typed, locale);
    return country === undefined ? undefined : { country };
  }
  const asn = asnTyped(typed);
  return asn === undefined ? undefined : { asn };
}
