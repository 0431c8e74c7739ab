/** The texts of the header and the footer, in each language of the help pages. */
import type { Locale } from "#lib/shop/locales.ts";

interface SiteWords {
  skipToContent: string;
  skipToChat: string;
  goodToKnow: string;
  freeDelivery: string;
  changeOfMind: string;
  demonstration: string;
  mainMenu: string;
  menu: string;
  closeMenu: string;
  shop: string;
  workshop: string;
  ourShops: string;
  help: string;
  tryTheChat: string;
  account: string;
  changeTheme: string;
  theme: string;
  tagline: string;
  bikes: string;
  helmets: string;
  clothing: string;
  bags: string;
  delivery: string;
  returns: string;
  warranty: string;
  whereIsMyOrder: string;
  talkToUs: string;
  hours: string;
  recycling: string;
  privacy: string;
  about: string;
  telephone: string;
  invented: string;
}

export const siteWords: Record<Locale, SiteWords> = {
  en: {
    skipToContent: "Skip to the content",
    skipToChat: "Skip to the chat",
    goodToKnow: "Good to know",
    freeDelivery: "Free UK delivery from £50",
    changeOfMind: "60 days to change your mind",
    demonstration: "A demo shop",
    mainMenu: "Main",
    menu: "Menu",
    closeMenu: "Close menu",
    shop: "Shop",
    workshop: "Workshop",
    ourShops: "Our shops",
    help: "Help",
    tryTheChat: "Try the chat",
    account: "Your account",
    changeTheme: "Change between light and dark",
    theme: "Light or dark",
    tagline: "Bicycles, outdoor gear and a repair workshop, by the water since 2009.",
    bikes: "Bikes",
    helmets: "Helmets",
    clothing: "Clothing",
    bags: "Bags",
    delivery: "Delivery",
    returns: "Returns",
    warranty: "Warranty",
    whereIsMyOrder: "Where is my order?",
    talkToUs: "Talk to us",
    hours: "Shops and hours",
    recycling: "Recycling",
    privacy: "Privacy",
    about: "About this demonstration",
    telephone: "Telephone",
    invented: "Tarn & Tread is invented: nothing here is for sale, and all the people are made up.",
  },
  de: {
    skipToContent: "Zum Inhalt springen",
    skipToChat: "Zum Chat springen",
    goodToKnow: "Gut zu wissen",
    freeDelivery: "In Großbritannien ab 50 £ versandkostenfrei",
    changeOfMind: "60 Tage Rückgaberecht",
    demonstration: "Ein Demo-Shop",
    mainMenu: "Hauptmenü",
    menu: "Menü",
    closeMenu: "Menü schließen",
    shop: "Sortiment",
    workshop: "Werkstatt",
    ourShops: "Filialen",
    help: "Hilfe",
    tryTheChat: "Chat ausprobieren",
    account: "Ihr Konto",
    changeTheme: "Zwischen Hell und Dunkel wechseln",
    theme: "Hell oder dunkel",
    tagline: "Fahrräder, Outdoor-Ausrüstung und eine Werkstatt, seit 2009 am Wasser.",
    bikes: "Fahrräder",
    helmets: "Helme",
    clothing: "Bekleidung",
    bags: "Taschen",
    delivery: "Lieferung",
    returns: "Rückgabe",
    warranty: "Garantie",
    whereIsMyOrder: "Wo ist meine Bestellung?",
    talkToUs: "Kontakt",
    hours: "Filialen und Öffnungszeiten",
    recycling: "Recycling",
    privacy: "Datenschutz",
    about: "Über diese Demo",
    telephone: "Telefon",
    invented: "Tarn & Tread ist erfunden: Hier gibt es nichts zu kaufen, und alle Personen sind ausgedacht.",
  },
  fr: {
    skipToContent: "Aller au contenu",
    skipToChat: "Aller au chat",
    goodToKnow: "Bon à savoir",
    freeDelivery: "Livraison offerte au Royaume-Uni dès 50 £",
    changeOfMind: "60 jours pour changer d’avis",
    demonstration: "Une boutique de démo",
    mainMenu: "Menu principal",
    menu: "Menu",
    closeMenu: "Fermer le menu",
    shop: "Boutique",
    workshop: "Atelier",
    ourShops: "Nos magasins",
    help: "Aide",
    tryTheChat: "Essayer le chat",
    account: "Votre compte",
    changeTheme: "Changer de thème, clair ou sombre",
    theme: "Clair ou sombre",
    tagline: "Vélos, matériel de plein air et atelier de réparation, au bord de l’eau depuis 2009.",
    bikes: "Vélos",
    helmets: "Casques",
    clothing: "Vêtements",
    bags: "Sacoches",
    delivery: "Livraison",
    returns: "Retours",
    warranty: "Garantie",
    whereIsMyOrder: "Où est ma commande ?",
    talkToUs: "Nous contacter",
    hours: "Magasins et horaires",
    recycling: "Recyclage",
    privacy: "Confidentialité",
    about: "À propos de cette démonstration",
    telephone: "Téléphone",
    invented: "Tarn & Tread est fictif : rien n’est à vendre ici, et les personnes sont inventées.",
  },
  ar: {
    skipToContent: "انتقل إلى المحتوى",
    skipToChat: "انتقل إلى المحادثة",
    goodToKnow: "معلومات مفيدة",
    freeDelivery: "توصيل مجاني داخل المملكة المتحدة من 50 جنيهًا",
    changeOfMind: "60 يومًا للإرجاع",
    demonstration: "متجر تجريبي",
    mainMenu: "القائمة الرئيسية",
    menu: "القائمة",
    closeMenu: "إغلاق القائمة",
    shop: "المتجر",
    workshop: "الورشة",
    ourShops: "فروعنا",
    help: "المساعدة",
    tryTheChat: "جرّب المحادثة",
    account: "حسابك",
    changeTheme: "التبديل بين الفاتح والداكن",
    theme: "فاتح أو داكن",
    tagline: "دراجات ومعدّات للرحلات وورشة إصلاح، على ضفة الماء منذ 2009.",
    bikes: "الدراجات",
    helmets: "الخوذ",
    clothing: "الملابس",
    bags: "الحقائب",
    delivery: "التوصيل",
    returns: "الإرجاع",
    warranty: "الضمان",
    whereIsMyOrder: "أين طلبي؟",
    talkToUs: "تواصل معنا",
    hours: "الفروع وساعات العمل",
    recycling: "إعادة التدوير",
    privacy: "الخصوصية",
    about: "عن هذا العرض التجريبي",
    telephone: "الهاتف",
    invented: "Tarn & Tread متجر خيالي: لا شيء هنا للبيع، والأشخاص من وحي الخيال.",
  },
  ja: {
    skipToContent: "本文へ移動",
    skipToChat: "チャットへ移動",
    goodToKnow: "お知らせ",
    freeDelivery: "英国内は£50以上で送料無料",
    changeOfMind: "60日間返品可能",
    demonstration: "デモショップについて",
    mainMenu: "メインメニュー",
    menu: "メニュー",
    closeMenu: "メニューを閉じる",
    shop: "商品一覧",
    workshop: "整備",
    ourShops: "店舗",
    help: "ヘルプ",
    tryTheChat: "チャットを試す",
    account: "アカウント",
    changeTheme: "ライトとダークを切り替える",
    theme: "ライト・ダーク",
    tagline: "自転車、アウトドア用品、整備工房。2009年から水辺で営業しています。",
    bikes: "自転車",
    helmets: "ヘルメット",
    clothing: "ウェア",
    bags: "バッグ",
    delivery: "配送",
    returns: "返品",
    warranty: "保証",
    whereIsMyOrder: "注文状況の確認",
    talkToUs: "お問い合わせ",
    hours: "店舗と営業時間",
    recycling: "リサイクル",
    privacy: "プライバシー",
    about: "このデモについて",
    telephone: "電話",
    invented: "Tarn & Treadは架空の店です。商品は購入できず、登場する人物も実在しません。",
  },
};
