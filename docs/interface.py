"""What furo writes into every page in English only, in the languages of the book; sentences of the search for which
Sphinx has none, or a faulty one; and the buttons of figures to step through."""

WORDS = {
    "Auto light/dark mode": {
        "es": "Modo claro u oscuro automático",
        "fr": "Mode clair ou sombre automatique",
        "pt_BR": "Modo claro ou escuro automático",
        "sk": "Automaticky svetlý alebo tmavý režim",
    },
    "Back to top": {
        "es": "Volver arriba",
        "fr": "Haut de la page",
        "pt_BR": "Voltar ao topo",
        "sk": "Späť nahor",
    },
    "Contents": {"es": "Índice", "fr": "Sommaire", "pt_BR": "Sumário", "sk": "Obsah"},
    "Dark mode": {
        "es": "Modo oscuro",
        "fr": "Mode sombre",
        "pt_BR": "Modo escuro",
        "sk": "Tmavý režim",
    },
    "Expand": {"es": "Desplegar", "fr": "Déplier", "pt_BR": "Expandir", "sk": "Rozbaliť"},
    "Hide navigation sidebar": {
        "es": "Ocultar la navegación",
        "fr": "Masquer la navigation",
        "pt_BR": "Ocultar a navegação",
        "sk": "Skryť navigáciu",
    },
    "Hide table of contents sidebar": {
        "es": "Ocultar el índice de la página",
        "fr": "Masquer le sommaire de la page",
        "pt_BR": "Ocultar o sumário da página",
        "sk": "Skryť obsah stránky",
    },
    "Home": {"es": "Inicio", "fr": "Accueil", "pt_BR": "Início", "sk": "Úvod"},
    "Light mode": {
        "es": "Modo claro",
        "fr": "Mode clair",
        "pt_BR": "Modo claro",
        "sk": "Svetlý režim",
    },
    "Made with": {
        "es": "Hecho con",
        "fr": "Réalisé avec",
        "pt_BR": "Feito com",
        "sk": "Vytvorené pomocou",
    },
    "Menu": {"es": "Menú", "fr": "Menu", "pt_BR": "Menu", "sk": "Ponuka"},
    "Next": {"es": "Siguiente", "fr": "Suivant", "pt_BR": "Próxima", "sk": "Nasledujúca"},
    "On this page": {
        "es": "En esta página",
        "fr": "Sur cette page",
        "pt_BR": "Nesta página",
        "sk": "Na tejto stránke",
    },
    "Previous": {"es": "Anterior", "fr": "Précédent", "pt_BR": "Anterior", "sk": "Predchádzajúca"},
    "Permalink to this heading": {
        "es": "Enlace permanente a este título",
        "fr": "Lien permanent vers ce titre",
        "pt_BR": "Link permanente para este título",
        "sk": "Trvalý odkaz na tento nadpis",
    },
    "Please activate JavaScript to enable the search functionality.": {
        "es": "Activa JavaScript para poder buscar.",
        "fr": "Activez JavaScript pour pouvoir chercher.",
        "pt_BR": "Ative o JavaScript para poder pesquisar.",
        "sk": "Na vyhľadávanie zapnite JavaScript.",
    },
    "Toggle Light / Dark / Auto color theme": {
        "es": "Cambiar entre modo claro, oscuro y automático",
        "fr": "Changer de mode : clair, sombre ou automatique",
        "pt_BR": "Alternar entre modo claro, escuro e automático",
        "sk": "Prepnúť svetlý, tmavý alebo automatický režim",
    },
    "Toggle child pages in navigation": {
        "es": "Mostrar u ocultar las páginas subordinadas",
        "fr": "Afficher ou masquer les sous-pages",
        "pt_BR": "Mostrar ou ocultar as subpáginas",
        "sk": "Zobraziť alebo skryť podstránky",
    },
    "Toggle site navigation sidebar": {
        "es": "Mostrar u ocultar la navegación",
        "fr": "Afficher ou masquer la navigation",
        "pt_BR": "Mostrar ou ocultar a navegação",
        "sk": "Zobraziť alebo skryť navigáciu",
    },
    "Toggle table of contents sidebar": {
        "es": "Mostrar u ocultar el índice de la página",
        "fr": "Afficher ou masquer le sommaire de la page",
        "pt_BR": "Mostrar ou ocultar o sumário da página",
        "sk": "Zobraziť alebo skryť obsah stránky",
    },
}

SEARCH = {
    "Hide Search Matches": {
        "es": "Quitar el resaltado",
        "fr": "Retirer le surlignage",
        "pt_BR": "Remover o destaque",
        "sk": "Zrušiť zvýraznenie",
    },
    "Search finished, found ${resultCount} page(s) matching the search query.": {
        "es": "Páginas encontradas: ${resultCount}.",
        "fr": "Pages trouvées\u00a0: ${resultCount}.",
        "pt_BR": "Páginas encontradas: ${resultCount}.",
        "sk": "Počet nájdených stránok: ${resultCount}.",
    },
    "Your search did not match any documents. Please make sure that all words are spelled correctly "
    "and that you've selected enough categories.": {
        "es": "Ninguna página contiene todas estas palabras. Comprueba cómo están escritas.",
        "fr": "Aucune page ne contient tous ces mots. Vérifiez leur orthographe.",
        "pt_BR": "Nenhuma página contém todas essas palavras. Confira a grafia.",
        "sk": "Žiadna stránka neobsahuje všetky tieto slová. Skontrolujte, ako sú napísané.",
    },
}

STEPS = {
    "back": {"en": "Back", "es": "Atrás", "fr": "Précédent", "pt_BR": "Voltar", "sk": "Späť"},
    "forward": {"en": "Forward", "es": "Adelante", "fr": "Suivant", "pt_BR": "Avançar", "sk": "Ďalej"},
}
