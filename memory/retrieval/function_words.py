"""The small words of each language: they tell which language a line is in, and a question is not about them."""

from typing import Final

# As they look after folding, for people often leave the accents out.
FUNCTION_WORDS: Final[dict[str, frozenset[str]]] = {
    language: frozenset(listed.split())
    for language, listed in {
        "english": (
            "a about after all also am an and any anything are aren't as at be because been before being both but "
            "by can can't could did didn't do does doesn't doing don't during each ever every for from had has "
            "have having he he's her hers him his how how's i i'd i'll i'm i've if in into is isn't it it's its "
            "itself just kind know let's like likely many may me might mine more most much must my myself no not "
            "of off on once one only or other our ours out over own please remember same shall she she's should "
            "so some something such tell than that that's the their them then there these they they're this those "
            "through to too type under until up us very was wasn't we we're were what what's when where where's "
            "which while who who's whom whose why will with won't would yes yet you you'll you're you've your "
            "yours"
        ),
        "german": (
            "aber alle als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem "
            "den der des dich die dies diese diesem diesen dieser dir doch du durch ein eine einem einen einer "
            "eines er es etwas euch euer fur gegen hab habe haben hat hatte hier ich ihm ihn ihr ihre im in ist "
            "ja jede jeder jetzt kann kein keine konnen man mehr mein meine meinem meinen meiner mich mir mit "
            "muss nach nein nicht noch nun nur ob oder ohne schon sehr seid sein seine seit sich sie sind so uber "
            "um und uns unser unsere vom von vor wann war waren warum was welche welchem welchen welcher welches "
            "wem wen wenn wer werden wie wieder wieviel wir wird wo woher wohin wurde zu zum zur"
        ),
        "french": (
            "a ai aime ainsi alors apres as au aussi aux avait avant avec avez avoir avons bien c ca car ce cela "
            "celle celui ces cet cette chez combien comme comment d dans de depuis des deux dont du elle elles en "
            "encore es est et etait ete etre eu fait faut hier il ils j je l la le les leur leurs lui ma mais me "
            "meme mes moi mon n ne nos notre nous on ont ou par parce pas pendant peu peut plus pour pourquoi qu "
            "quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous suis sur t ta te "
            "tes toi ton tous tout toute tres tu un une va vas vont vos votre vous y"
        ),
        "spanish": (
            "a ahora al algo antes asi aun aunque ayer como con contra cual cuales cuando cuanto cuantos de del "
            "desde despues donde dos e el ella ellas ellos en entre era eran eres es esa ese eso esos esta estaba "
            "estan estar estas este esto estos estoy fue fueron fui ha habia han has hasta hay he hola la las le "
            "les lo los mas me mi mientras mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro "
            "para pero por porque pues que quien quienes se sea ser si sido sin sobre son soy su sus tambien te "
            "tengo tiene tienes todo todos tu tus un una uno unos y ya yo"
        ),
        "portuguese": (
            "a agora ainda ao aos apos aquela aquele as ate com como da das de dela dele depois do dos e ela elas "
            "ele eles em entre era eram essa esse esta estamos estao estar estas estava este estou eu foi foram "
            "fui ha isso isto ja la lhe mais mas me mesmo meu meus minha minhas muito na nao nas nem no nos nossa "
            "nosso num numa o onde ontem os ou para pela pelo por porque quais qual quando quanto que quem se sem "
            "ser seu seus so sobre sou sua suas tambem te tem tenho ter teu tua tudo um uma vai voce voces"
        ),
        "italian": (
            "a abbiamo ad ai al alla alle allo anche ancora avere aveva c che chi ci ciao come con cosa cosi d da "
            "dal dalla dei del della delle dello di dopo dove e ed era erano essere fa fra gia gli ha hai hanno "
            "ho i ieri il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nella "
            "no noi non nostra nostro o ogni per perche piu poi quale quali quando quanto quella quello questa "
            "questo qui quindi sei senza si sia sono sta stato su sua sue sul sulla suo suoi te ti tra tu tua tuo "
            "tutti tutto un una uno vi voi"
        ),
        "dutch": (
            "aan al alles als altijd ben bent bij daar dan dat de deze die dit doe door dus echt een en er ga "
            "gaat geen had hadden heb hebben heeft hem het hier hij hoe hun ik in is ja je jij jou jouw jullie "
            "kan kon maar me meer met mij mijn moet na naar niet nog nooit nu of om omdat ons onze ook op over te "
            "toch toen tot u uit uw van veel voor waar waarom wanneer waren was wat we welke werd wie wij wil "
            "woont worden zal ze zeer zelf zij zijn zo zonder zou"
        ),
        "swedish": (
            "alla allt an att av blev bli blir da de dem den denna det detta dig din dina ditt du efter eller en "
            "er ett for fore fran ha hade han hans har hon hur i icke igen in inte jag ju kan kommer man med mig "
            "min mina mitt mot mycket nagon nagot nar nej ni nu och om oss pa sa sedan sig sin ska skulle som "
            "till under upp ut vad var vara vart vem vi vid vilken vilket"
        ),
        "danish": (
            "af alle at blev blive bliver da de dem den denne der det dette dig din dine dit du efter eller en er "
            "et for fra ham han hans har havde have hende hun hvad hvem hvilken hvor hvordan hvorfor hvornar i "
            "ikke ind jeg jer kan kom kunne man med meget men mig min mine mit mod nar ned nej noget nogle nu og "
            "om op os over pa sa sig sin skal som til ud under var vi vil ville"
        ),
        "norwegian": (
            "alle at av ble bli da de deg dem den denne der det dette di din ditt du eller en er et etter for fra "
            "ha hadde han hans har henne hun hva hvem hvilken hvor hvordan hvorfor i ikke inn jeg kan kom kunne "
            "med meg meget men mer mi min mitt mot mye na nar nei noe noen og om opp oss over pa sa seg selv sin "
            "skal som til ut var vi vil ville"
        ),
        "finnish": (
            "ehka ei eika en etta han hanen he hyvin ilman ja jo joka jos kaikki kanssa kenen ketka koska kuin "
            "kuinka kuka kun mihin mika miksi milloin mina minka minulla minulle minun minut missa mista mita "
            "miten mitka mun mutta myos ne niin nyt olen olet oli olla oma on ovat paljon se sen sina sinulla "
            "sinun sita sitten ta tai tama taman te vai vain viela voi"
        ),
        "polish": (
            "a albo ale bardzo bez by byc byl byla bylo byly ci co czy dla do gdy gdzie go i ich ile im ja jak "
            "jaka jaki jakie jako je jego jej jest jestem jestes jeszcze ju juz kiedy kim kogo kto ktora ktore "
            "ktory ma mam masz mi mial mnie moj moja moje moze my na nad nas nasz nie niz o od on ona oni oraz po "
            "pod przed przez przy sa sie sobie ta tak takze tam te tego tej ten teraz to tu tutaj tylko tym u w "
            "was wczoraj wiec wszystko z za ze zeby"
        ),
        "czech": (
            "a aby ale ani az bez bude budou by byl byla bylo byt ci co coz do ho i ja jak jake jako je jeho jej "
            "jeji jen jeste ji jsem jsi jsme jsou k kam kde kdo kdy ktera ktere ktery ma mam mas me mezi mi mit "
            "mne mnou muj na nad nam nas ne nebo neni nez o od on ona oni po pod podle prave pred pri pro proc "
            "proto protoze s se si sve ta tak take tam te ten to toho tu ty u uz v vas ve vsak z za ze"
        ),
        "romanian": (
            "a acea aceasta acest ai al ale am ar are as asa astfel atunci au avea ca cand care ce cea cei cel "
            "cele cine cu cum da dar de deci despre din dupa e ea ei el ele era este eu fara fi fost iar ii il "
            "imi in inainte inca intre isi la le li lor lui ma mai mea mele mereu meu mi mult ne nici noi nu o "
            "oare ori pe pentru prin sa sale sau se si sunt sus ta tau te tot tu un una unde unei unui va voi vom"
        ),
        "hungarian": (
            "a abban ahol aki ami amikor az azert azon azt be csak de e egy egyik el en es ez ezek ezt fel fog ha "
            "hanem hany hat hogy hol hova igen is itt jo kell ki kicsi kit le lesz ma maga mar meg mert mi mikor "
            "mind minden mint mit mivel most nagyon ne neked nekem nem o ok ott pedig s sem si soha te ti tud "
            "utan vagy vagyok valami van vele volt voltam"
        ),
        "turkish": (
            "acaba ama ancak bana bazi belki ben beni benim bile bir biraz biri biz bize bu buna bunu bunun cok "
            "cunku da daha de degil diye dun en gibi hangi hem hep her hic icin ile ise kac kadar ki kim kime mi "
            "mu nasil ne neden nerede nereye nicin niye o olan olarak oldu ona onlar onu onun sana sen seni senin "
            "siz sonra su tum var ve veya ya yani yok zaman"
        ),
        "indonesian": (
            "ada adalah akan aku anda apa apakah atau bagaimana bahwa bisa bukan dalam dan dari dengan di dia "
            "hanya harus ini itu jika juga kami kamu kapan karena ke kita lagi lebih mana mengapa mereka nya oleh "
            "pada saat sangat saya sebagai sebuah sedang seperti siapa sudah telah tetapi tidak untuk yang"
        ),
        "vietnamese": (
            "ai anh bi cac cai cho chua chung co con cua cung da dang de den di duoc em gi hay khi khoi khong la "
            "lam len minh mot nam nao nay neu ngay nguoi nhieu nhu nhung o ra rang rat roi sao se tai that thi "
            "toi trong tu va van ve vi viec voi"
        ),
        "russian": (
            "а без более бы был была были было быть в вам вас весь во вот все всего вчера вы где да даже для до "
            "его ее если есть еще же за здесь и из или им их к как какая какие какое какои когда кого кому "
            "которыи куда ли меня мне мнои мое мои моя мы на над надо наш не него нее нет ни них но ну о об он "
            "она они от откуда очень по под почему при про расскажи с сам свои себя сколько со так также там тебя "
            "тем то тобои тогда того тоже только том ты у уже хотя чеи чем что чтобы чье чья эта эти это этот я"
        ),
        "arabic": (
            "التي الذي الى ان انا انت او اي اين بعد تلك ثم ذلك على عن عند في قبل قد كان كانت كل كم كيف لا لك لم "
            "لماذا لن له لها لي ليس ما ماذا متى مع من نحن هذا هذه هل هم هو هي و يكون"
        ),
        "persian": (
            "از است ان او این با برای به بود تا تو در را شد شما ما من می نه هست هم و چرا چطور چند چه چی کجا که کی یا"
        ),
        "hindi": (
            "आप आपका आपकी आपके उसका उसकी उसके और कब कहाँ कहां का कि कितना कितनी कितने किस की के कैसे को कौन कौनसा "
            "क्या क्यों जो तुम तुम्हारा तुम्हारी तो था थी थे नहीं ने पर भी मत मुझे में मेरा मेरी मेरे मैं यह या "
            "ये वह वे से हम हमारा ही हूँ हूं है हैं हो"
        ),
        "greek": (
            "αλλα απο για γιατι δεν εγω ειμαι ειναι εισαι ενα εσυ εχει εχεισ εχω η ηταν θα και μασ με μη μια μου "
            "να ο οι οτι ποια ποιο ποιοσ ποσο ποτε που πωσ σασ σε σου στα στη στην στισ στο στον τα την τησ τι το "
            "τον του των"
        ),
    }.items()
}
