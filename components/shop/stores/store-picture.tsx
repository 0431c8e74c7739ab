import styles from "./store-picture.module.css";

/** A drawing of each shop for both colour schemes. Decorative: the text beside it says where the shop is. */
export function StorePicture({ store }: { store: string }) {
  return (
    <svg aria-hidden="true" className={styles["picture"]} focusable="false" viewBox="0 0 360 270">
      <rect className={styles["sky"]} height="270" width="360" />
      <circle className={styles["sun"]} cx="290" cy="62" r="26" />
      <path className={styles["hill"]} d="M0 168c60-46 110-52 168-14 46-40 110-52 192 4v112H0z" />
      {store === "ostle-quay" ? <Quay /> : store === "brackwater" ? <Canal /> : <Mill />}
    </svg>
  );
}

/** The old bobbin mill in Kelderby. */
function Mill() {
  return (
    <>
      <path className={styles["stone"]} d="M70 116 180 74l110 42v124H70z" />
      <path className={styles["roof"]} d="m58 118 122-48 122 48-6 12-116-45L64 130z" />
      <path className={styles["stone"]} d="M236 60h22v44h-22z" />
      <path className={styles["pane"]} d="M96 138h34v30H96zM163 138h34v30h-34zM230 138h34v30h-34z" />
      <path className={styles["front"]} d="M92 186h106v54H92z" />
      <path className={styles["pane"]} d="M100 194h90v38h-90z" />
      <path className={styles["awning"]} d="M86 180h118l8 14H78z" />
      <path className={styles["door"]} d="M226 186h34v54h-34z" />
      <circle className={styles["wheel"]} cx="145" cy="214" r="14" />
      <path className={styles["ground"]} d="M0 238h360v32H0z" />
    </>
  );
}

/** The shop on the canal in Brackwater. */
function Canal() {
  return (
    <>
      <path className={styles["stone"]} d="M84 104h192v112H84z" />
      <path className={styles["roof"]} d="M72 108 96 72h168l24 36z" />
      <path className={styles["pane"]} d="M104 122h30v28h-30zM165 122h30v28h-30zM226 122h30v28h-30z" />
      <path className={styles["front"]} d="M100 164h70v52h-70z" />
      <path className={styles["pane"]} d="M107 171h56v38h-56z" />
      <path className={styles["awning"]} d="M94 158h82l8 14H86z" />
      <path className={styles["door"]} d="M196 164h32v52h-32z" />
      <circle className={styles["wheel"]} cx="135" cy="194" r="12" />
      <path className={styles["ground"]} d="M0 212h360v18H0z" />
      <path className={styles["water"]} d="M0 228h360v42H0z" />
      <path className={styles["ripple"]} d="M30 244h60M120 256h70M230 246h84" />
      <path className={styles["boat"]} d="M210 226h120l-14 22h-94z" />
      <path className={styles["front"]} d="M236 208h62v18h-62z" />
    </>
  );
}

/** The customs shed and the lighthouse of Ostle Quay. */
function Quay() {
  return (
    <>
      <path className={styles["front"]} d="M252 70h36l12 146h-60z" />
      <path className={styles["awning"]} d="M248 104h44l3 26h-50zM243 158h54l3 28h-60z" />
      <path className={styles["roof"]} d="M250 52h40v18h-40z" />
      <path className={styles["lamp"]} d="M258 40h24v14h-24z" />
      <path className={styles["roof"]} d="m252 40 18-16 18 16z" />
      <path className={styles["stone"]} d="M54 146h170v72H54z" />
      <path className={styles["roof"]} d="m44 150 24-34h142l24 34z" />
      <path className={styles["pane"]} d="M72 164h44v30H72zM172 164h36v30h-36z" />
      <path className={styles["door"]} d="M130 166h28v52h-28z" />
      <path className={styles["ground"]} d="M0 214h360v18H0z" />
      <path className={styles["water"]} d="M0 230h360v40H0z" />
      <path className={styles["ripple"]} d="M24 246h70M140 258h60M250 248h80" />
    </>
  );
}
