// SetResult: the result of a set of questions, the dearest mistakes first.
import type { Http } from "../../generated/api";
import { t } from "../../texts";
import { kindWords } from "../../texts/strategy";
import { does, fraction, plainFigure, type Choice } from "./figures";

interface Missed {
  cards: string;
  words: string;
  kind: string;
  choice: Choice;
  lost_per_hundred_rounds: Http.Exact;
}

interface Details {
  missed: Missed[];
  lost_per_hundred_rounds: Http.Exact;
}

export function SetResult({ result }: { result: Http.Result }) {
  const details = result.details as unknown as Details;
  return (
    <div class="set-result">
      <h2>{t("learn.set", { right: result.right, asked: result.asked })}</h2>
      {details.missed.length > 0 && (
        <>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{t("learn.missed")}</th>
                <th scope="col">{t("learn.you_would")}</th>
                <th scope="col">{t("learn.lost")}</th>
              </tr>
            </thead>
            <tbody>
              {details.missed.map((one) => (
                <tr key={one.cards}>
                  <td>{t("learn.of_bet", { bet: one.cards.split(" ").length - 2, words: kindWords(one.kind, one.words) })}</td>
                  <td class="whole">{does(one.choice)}</td>
                  <td class="number">{plainFigure(one.lost_per_hundred_rounds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            {t("learn.together", {
              lost: plainFigure(details.lost_per_hundred_rounds),
              exact: fraction(details.lost_per_hundred_rounds),
            })}
          </p>
        </>
      )}
    </div>
  );
}
