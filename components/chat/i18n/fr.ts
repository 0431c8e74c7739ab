import type { FirstStrings } from "./en.ts";

const strings: FirstStrings = {
  panel: {
    close: "Fermer le chat",
    dismiss: "Masquer",
    enlarge: "Agrandir",
    menu: "Plus",
    statusAgent: "Assistant virtuel",
    statusWaiting: "En attente de l’équipe",
    statusTeammate: "De notre équipe",
    statusResolved: "Fermé",
    messages: "Messages",
  },
  welcome: {
    title: "Bonjour ! Que cherchez-vous ?",
    text: "{name} est un assistant automatique. Il répond d’après les pages de notre site et peut vous mettre en relation avec notre équipe.",
    suggestions: "Questions fréquentes",
  },
  messages: {
    you: "Vous",
    system: "Info",
    unread: "Nouveaux messages",
    historyIncomplete: "Les messages plus anciens ne sont plus conservés.",
    loadOlder: "Voir les messages précédents",
    loadingOlder: "Chargement des messages précédents…",
    loadingChat: "Ouverture de votre chat…",
    olderFailed: "Les messages précédents n’ont pas pu être chargés.",
    jumpToLatest: "Aller au dernier message",
    moreBelow: "Voir la suite",
    newBelow: {
      one: "{count} nouveau message",
      many: "{count} nouveaux messages",
      other: "{count} nouveaux messages",
    },
    said: "{name} :",
    noText: "Ce message ne contient pas de texte.",
    team: "Équipe",
  },
  waiting: {
    turn: "En attente de la réponse en cours…",
    file: "En attente du fichier…",
    fast: "Envois trop rapprochés. Nouvel essai",
    newChat: "Un instant : votre chat démarre",
    busy: "Nous recevons beaucoup de demandes. Nouvel essai",
    connection: "Connexion perdue. Nouvel essai",
    offline: "Sera envoyé dès votre retour en ligne",
    service: "Reconnexion. Nouvel essai",
  },
  delivery: {
    queued: "En attente d’envoi…",
    sending: "Envoi…",
    checking: "Vérification de l’envoi…",
    unsure: "Nous ne savons pas si la réponse est bien arrivée. Vérification…",
    stored: "Envoyé",
    notSent: "Non envoyé",
    answering: "{name} répond.",
    slow: "C’est plus long que d’habitude. Continuez à écrire ou revenez plus tard : la réponse vous attendra ici.",
    stopped: "Arrêté. {name} termine quand même la réponse, qui apparaîtra ici.",
    recovering: "Connexion perdue. Récupération de la suite…",
  },
  composer: {
    label: "Votre message",
    placeholder: "Posez une question…",
    placeholderTeam: "Écrivez à l’équipe…",
    send: "Envoyer",
    stop: "Ne plus afficher la réponse",
    attach: "Joindre des fichiers",
    camera: "Prendre une photo",
    left: {
      one: "{count} caractère restant.",
      many: "{count} caractères restants.",
      other: "{count} caractères restants.",
    },
    tooLong: {
      one: "{count} caractère de trop.",
      many: "{count} caractères de trop.",
      other: "{count} caractères de trop.",
    },
    offline: "Vous êtes hors ligne. Les messages partiront au retour de la connexion.",
    hint: "Entrée pour envoyer, Maj et Entrée pour aller à la ligne.",
  },
  files: {
    dropHere: "Déposez des fichiers pour les joindre",
    open: "Ouvrir {name}",
    unnamed: "Fichier",
    expired: "Plus disponible",
    notLoaded: "Le chargement a échoué. Veuillez réessayer.",
  },
  links: {
    opens: "s’ouvre dans un nouvel onglet",
  },
  choices: { label: "Choisissez une réponse" },
  problems: {
    reloadPage: "Recharger la page",
    reconnecting: "Reconnexion…",
    pageError: "Un problème est survenu sur cette page. Rechargez-la s’il manque des messages.",
    notRead: "Impossible de charger votre conversation pour le moment.",
    partFailed: "Cette partie n’a pas pu être chargée.",
    partWaits: "Vous verrez ceci dès que vous serez de nouveau en ligne.",
    storageOff:
      "Votre navigateur n’enregistre rien ici : un message non envoyé est perdu si vous quittez la page.",
    chatRestarted: "Votre chat précédent n’existe plus : en voici un nouveau.",
  },
  announce: {
    reply: "{name} dit : {text}",
    teammateReply: "{name}, de l’équipe, dit : {text}",
    notice: "Info : {text}",
    message: "Message de {name}.",
    withFiles: {
      one: "{name} a envoyé {count} fichier : {files}.",
      many: "{name} a envoyé {count} fichiers : {files}.",
      other: "{name} a envoyé {count} fichiers : {files}.",
    },
    withSources: {
      one: "{count} source indiquée.",
      many: "{count} sources indiquées.",
      other: "{count} sources indiquées.",
    },
    withProducts: {
      one: "{count} produit présenté.",
      many: "{count} produits présentés.",
      other: "{count} produits présentés.",
    },
    withOrders: {
      one: "{count} commande présentée.",
      many: "{count} commandes présentées.",
      other: "{count} commandes présentées.",
    },
    withForm: "Il y a un formulaire à remplir.",
    withOffer: "Vous pouvez parler à l’équipe.",
    withChoices: {
      one: "{count} réponse suggérée.",
      many: "{count} réponses suggérées.",
      other: "{count} réponses suggérées.",
    },
    messageFailed: "Votre message n’a pas été envoyé.",
  },
  // In the message field's place.
  ended: {
    chat_gone: "Ce chat n’est plus disponible.",
    chat_full: "Ce chat a atteint sa limite.",
    chat_closed: "Ce chat est fermé.",
  },
  buttons: {
    try_again: "Réessayer",
    new_chat: "Nouveau chat",
  },
};

export default strings;

export const later = async () => (await import("./fr-later.ts")).later;
