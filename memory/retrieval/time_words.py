"""The words for days, weeks, months and years in the main languages."""

from typing import Final

# As they look after folding; a form that another language uses for something else is left out.
MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero janeiro gennaio januari stycznia styczniu styczen январь "
            "января январе ocak",
            "february feb februar fevrier febrero fevereiro febbraio februari lutego lutym luty февраль "
            "февраля феврале subat",
            "march marz maerz mars marzo marco maart mart marca marcu marzec март марта марте",
            "april apr avril abril aprile kwietnia kwietniu kwiecien апрель апреля апреле nisan",
            "may mai mayo maio maggio mei maj maja maju май мая мае маи mayis",
            "june jun juni juin junio junho giugno czerwca czerwcu czerwiec июнь июня июне haziran",
            "july jul juli juillet julio julho luglio lipca lipcu lipiec июль июля июле temmuz",
            "august aug aout agosto augustus augusti sierpnia sierpniu sierpien август августа августе agustos",
            "september sept sep septembre septiembre setembro settembre wrzesnia wrzesniu wrzesien сентябрь сентября "
            "сентябре eylul",
            "october oct oktober okt octobre octubre outubro ottobre pazdziernika pazdzierniku pazdziernik октябрь "
            "октября октябре ekim",
            "november nov novembre noviembre novembro listopada listopadzie listopad ноябрь ноября ноябре kasim",
            "december dec dezember dez decembre diciembre dezembro dicembre grudnia grudniu grudzien декабрь декабря "
            "декабре aralik",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi lunes segunda-feira lunedi maandag poniedzialek понедельник 周一 星期一 月曜日",
            "tuesday dienstag mardi martes terca-feira martedi dinsdag wtorek вторник 周二 星期二 火曜日",
            "wednesday mittwoch mercredi miercoles quarta-feira mercoledi woensdag среду 周三 星期三 水曜日",
            "thursday donnerstag jeudi jueves quinta-feira giovedi donderdag czwartek четверг 周四 星期四 木曜日",
            "friday freitag vendredi viernes sexta-feira venerdi vrijdag piatek пятницу 周五 星期五 金曜日",
            "saturday samstag samedi sabado sabato zaterdag sobote субботу 周六 星期六 土曜日",
            "sunday sonntag dimanche domingo domenica zondag niedziele воскресенье 周日 星期日 星期天 日曜日",
        )
    )
    for name in names.split()
}
# Units back from now: 0 is the present one.
RELATIVE: Final = {
    phrase: (unit, back)
    for unit, back, phrases in (
        ("day", 0, "today|heute|aujourd'hui|hoy|hoje|oggi|vandaag|dzisiaj|сегодня|bugun|今天|今日|오늘"),
        ("day", 1, "yesterday|gestern|ayer|ontem|ieri|gisteren|wczoraj|вчера|امس|कल|昨天|昨日|어제|last night"),
        ("day", 2, "day before yesterday|vorgestern|avant-hier|anteayer|anteontem|eergisteren|позавчера|前天|一昨日"),
        (
            "week",
            0,
            "this week|diese woche|cette semaine|esta semana|questa settimana|deze week|этои неделе|本周|这周|今週",
        ),
        (
            "week",
            1,
            "last week|letzte woche|letzter woche|semaine derniere|semana pasada|semana passada|settimana scorsa|"
            "vorige week|zeszlym tygodniu|прошлои неделе|gecen hafta|上周|上星期|先週|지난주",
        ),
        (
            "month",
            0,
            "this month|diesen monat|diesem monat|ce mois|este mes|questo mese|deze maand|этом месяце|本月|这个月|今月",
        ),
        (
            "month",
            1,
            "last month|letzten monat|letztem monat|mois dernier|mes pasado|mes passado|mese scorso|vorige maand|"
            "zeszlym miesiacu|прошлом месяце|gecen ay|上个月|上月|先月|지난달",
        ),
        ("year", 0, "this year|dieses jahr|cette annee|este ano|quest'anno|dit jaar|этом году|bu yil|今年|올해"),
        (
            "year",
            1,
            "last year|letztes jahr|letzten jahr|annee derniere|ano pasado|ano passado|anno scorso|vorig jaar|"
            "zeszlym roku|прошлом году|gecen yil|去年|작년",
        ),
    )
    for phrase in phrases.split("|")
}
UNITS: Final = {
    name: unit
    for unit, names in (
        ("day", "day days tag tagen jour jours dia dias giorni giorno dagen dag день дня днеи 天 日"),
        (
            "week",
            "week weeks woche wochen semaine semaines semana semanas settimane settimana "
            "weken недели недель 周 星期 週間",
        ),
        ("month", "month months monat monaten mois mes meses mesi mese maanden maand месяца месяцев 个月 か月"),
        ("year", "year years jahr jahren ans an ano anos anni anno jaar лет года 年"),
    )
    for name in names.split()
}
# What stands before a month or a year that is meant as a time: "in May", not "may I" and not the name April.
BEFORE_A_DATE: Final = (
    "in on of since during until by last this early late mid around im seit vom anfang ende en depuis durant "
    "de desde em no di a dal van sinds w we od в с до"
).split()
BEFORE_COUNT: Final = ("vor", "il y a", "hace", "ha", "przed")
AFTER_COUNT: Final = ("ago", "fa", "geleden", "назад", "temu", "once", "前", "전")
NUMBERS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
