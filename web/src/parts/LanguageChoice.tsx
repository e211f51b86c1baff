// Language menu: lets people choose the language of the page, each by its own name.
import { chosenLanguage } from "../state/settings";
import { language, LANGUAGES, t } from "../texts";

export function LanguageChoice() {
  return (
    <label class="language">
      {t("language.label")}
      <select value={language.value} onChange={(event) => (chosenLanguage.value = event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
