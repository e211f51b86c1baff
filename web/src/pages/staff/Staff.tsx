// Staff: the pages of those who run the house; who one is says which of them there are.
import type { ComponentType } from "preact";
import type { PageProps } from "..";
import { AUDITORS, REVIEWERS, STAFF_ACCOUNTS } from "../../generated/roles";
import { FactorFirst } from "../../parts/OwnFactors";
import { ProveAgain } from "../../parts/ProveAgain";
import { path } from "../../router";
import { asked, me } from "../../state/session";
import { t, type Text } from "../../texts";
import { Approvals } from "./Approvals";
import { Door } from "./Door";
import { HousePage } from "./HousePage";
import { has } from "./parts";
import { PitDay } from "./PitDay";
import { Record } from "./Record";
import { Shifts } from "./Shifts";
import { Tables } from "./Tables";
import { TrayPage } from "./TrayPage";
import { Review } from "./Review";
import { Work } from "./Work";

interface Place {
  path: string;
  words: Text;
  roles: readonly string[];
  view: ComponentType;
}

const PLACES: Place[] = [
  { path: "/staff", words: "staff.nav.tables", roles: STAFF_ACCOUNTS, view: Tables },
  { path: "/staff/pit", words: "staff.nav.pit", roles: REVIEWERS, view: PitDay },
  { path: "/staff/approvals", words: "staff.nav.approvals", roles: REVIEWERS, view: Approvals },
  { path: "/staff/shifts", words: "staff.nav.shifts", roles: REVIEWERS, view: Shifts },
  { path: "/staff/audit", words: "staff.nav.audit", roles: AUDITORS, view: Record },
  { path: "/staff/house", words: "staff.nav.house", roles: ["administrator"], view: HousePage },
];

export default function Staff({ params }: PageProps) {
  if (!asked.value) return <div class="page"><h1>{t("staff.title")}</h1></div>;
  if (!me.value || !has(...STAFF_ACCOUNTS)) return <Door />;
  if (me.value.second_factor)
    return (
      <div class="page staff staff-door">
        <h1>{t("staff.title")}</h1>
        <section class="staff-box staff-box-main">
          <h2>{t("factor.title")}</h2>
          <FactorFirst wait={me.value.second_factor} />
        </section>
      </div>
    );
  const [what, id = "", more = ""] = (params.rest ?? "").split("/");
  if (what === "table" && id) return <Work id={id} />;
  const place = PLACES.find((one) => one.path === path.value);
  const reviews = what === "review" && id;
  const tray = what === "tray" && id;
  if (!reviews && !tray && !place) return <Lost />;
  const roles = reviews ? AUDITORS : tray ? REVIEWERS : place!.roles;
  const here = reviews ? "/staff/audit" : tray ? "/staff/pit" : place!.path;
  const mine = PLACES.filter((one) => has(...one.roles));
  return (
    <div class="page staff">
      <nav class="staff-nav" aria-label={t("staff.title")}>
        {mine.map((one) => (
          <a key={one.path} href={one.path} aria-current={one.path === here ? "page" : undefined}>
            {t(one.words)}
          </a>
        ))}
        <a href="/rulings">{t("staff.nav.rulings")}</a>
        <a href="/payouts">{t("staff.nav.payouts")}</a>
      </nav>
      <ProveAgain />
      {!has(...roles) ? <Closed roles={roles} /> : reviews ? <Review id={id} round={Number(more) || 0} /> : tray ? <TrayPage key={id} id={id} /> : <Here view={place!.view} />}
    </div>
  );
}

const Here = ({ view: View }: { view: ComponentType }) => <View />;

function Closed({ roles }: { roles: readonly string[] }) {
  return (
    <>
      <h1>{t("staff.closed.title")}</h1>
      <p>{t("staff.closed.text", { roles: roles.map((role) => t(`role.${role}` as Text)).join(", ") })}</p>
    </>
  );
}

function Lost() {
  return (
    <div class="page">
      <h1>{t("app.missing.title")}</h1>
      <p>{t("app.missing.text", { path: path.value })}</p>
      <a class="button button-main" href="/staff">
        {t("staff.back")}
      </a>
    </div>
  );
}
