// AnswerForm: asks what a question asks, field by field; which answer is right it does not know.
import { useSignal } from "@preact/signals";
import type { Http } from "../../../generated/api";
import { Button } from "../../../parts/Button";
import { centsOf, spoken, t } from "../../../texts";
import { useKeys } from "../Choices";

type Said = Record<string, string | number>;

export interface AnswerProps {
  question: Http.Question;
  busy: boolean;
  onAnswer: (said: Said) => void;
}

export function AnswerForm(props: AnswerProps) {
  const { fields } = props.question;
  if (fields.some((one) => one.name === "what")) return <NoticeForm {...props} />;
  if (fields.length === 1 && fields[0]?.options.length) return <OneOf {...props} field={fields[0]} />;
  return <ManyFields {...props} />;
}

/** One field with options: each is a button, with a number for its key. */
function OneOf({ field, busy, onAnswer }: AnswerProps & { field: Http.Field }) {
  const choose = (option: Http.Option | undefined): boolean => {
    if (option && !busy) onAnswer({ [field.name]: option.id });
    return Boolean(option);
  };
  useKeys((key) => /^[1-9]$/.test(key) && choose(field.options[Number(key) - 1]));
  return (
    <ul class="answer-options" aria-label={field.label}>
      {field.options.map((option, place) => (
        <li key={option.id}>
          <button type="button" class="answer-option" disabled={busy} aria-keyshortcuts={String(place + 1)} onClick={() => choose(option)}>
            <kbd aria-hidden="true">{place + 1}</kbd>
            <span>{spoken(option.text)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Is anything wrong? One large button for nothing, and a form for what and where. */
function NoticeForm({ question, busy, onAnswer }: AnswerProps) {
  const [what, seat] = question.fields;
  const kind = useSignal("");
  const where = useSignal("0");
  const fine = what?.options[0];
  const go = (): void => {
    if (fine && !busy) onAnswer({ what: fine.id, seat: "0" });
  };
  useKeys((key) => {
    if (key !== "o") return false;
    go();
    return true;
  });
  return (
    <div class="notice">
      <Button kind="main" class="notice-fine" keyName="O" disabled={busy} onClick={go}>
        {t("staffdrill.fine")}
      </Button>
      <form
        class="form notice-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (kind.value) onAnswer({ what: kind.value, seat: where.value });
        }}
      >
        <label>
          <span>{t("staffdrill.what")}</span>
          <select required value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value)}>
            <option value="">{t("staffdrill.choose")}</option>
            {what?.options.slice(1).map((option) => (
              <option key={option.id} value={option.id}>
                {spoken(option.text)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t("staffdrill.where")}</span>
          <select value={where.value} onChange={(event) => (where.value = event.currentTarget.value)}>
            {seat?.options.map((option) => (
              <option key={option.id} value={option.id}>
                {spoken(option.text)}
              </option>
            ))}
          </select>
        </label>
        <Button kind="danger" type="submit" disabled={busy}>
          {t("staffdrill.stop")}
        </Button>
      </form>
    </div>
  );
}

/** Several fields: options as a group to choose from, amounts as fields in dollars. */
function ManyFields({ question, busy, onAnswer }: AnswerProps) {
  const said = useSignal<Record<string, string>>({});
  const trouble = useSignal("");
  const set = (name: string, value: string): void => {
    said.value = { ...said.value, [name]: value };
  };
  const submit = (): void => {
    const answer: Said = {};
    for (const one of question.fields) {
      const value = said.value[one.name] ?? "";
      const cents = one.options.length ? 0 : centsOf(value);
      if (one.options.length ? !value : cents === null) {
        trouble.value = t(one.options.length ? "staffdrill.open" : "staffdrill.amount", { field: one.label });
        return;
      }
      answer[one.name] = one.options.length ? value : (cents ?? 0);
    }
    trouble.value = "";
    onAnswer(answer);
  };
  const amounts = question.fields.filter((one) => !one.options.length);
  const seats = [...new Set(amounts.map((one) => one.seat))];
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {question.fields
        .filter((one) => one.options.length)
        .map((one) => (
          <fieldset key={one.name} class="answer-group">
            <legend>{one.label}</legend>
            {one.options.map((option) => (
              <label key={option.id} class="check">
                <input type="radio" name={one.name} value={option.id} onChange={() => set(one.name, option.id)} />
                <span>{spoken(option.text)}</span>
              </label>
            ))}
          </fieldset>
        ))}
      {seats.map((seat) => (
        <fieldset key={seat} class="answer-group">
          <legend>{t("staffdrill.seat", { seat })}</legend>
          <div class="answer-amounts">
            {amounts
              .filter((one) => one.seat === seat)
              .map((one) => (
                <label key={one.name}>
                  <span>{one.label.replace(/^seat \d+, /, "")}</span>
                  <input inputMode="decimal" autoComplete="off" placeholder="0" onInput={(event) => set(one.name, event.currentTarget.value)} />
                </label>
              ))}
          </div>
        </fieldset>
      ))}
      {trouble.value && (
        <p class="form-no" role="alert">
          {trouble.value}
        </p>
      )}
      <Button kind="main" type="submit" disabled={busy}>
        {t("staffdrill.answer")}
      </Button>
    </form>
  );
}
