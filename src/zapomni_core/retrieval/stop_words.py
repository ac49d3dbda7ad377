"""The function words of each language: they tell it, and mean little to a search."""

from typing import Final

__all__ = ["AMBIGUOUS", "ENGLISH", "FRENCH", "GERMAN", "RUSSIAN", "SPANISH"]

# "may" and "us" are missing on purpose: a month and a country cannot be told from them.
ENGLISH: Final = """
a an the this that these those here there
i me my mine myself we our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
one ones someone somebody something anyone anybody anything everyone everybody everything
who whom whose which what when where why how whether
am is are was were be been being do does did doing done have has had having
can could shall should will would might must ought let lets
and or but nor so yet if then else than because while although though unless until since
of at by for with about against between into through during before after above below to from
up down in out on off over under again further once as per via upon within without toward towards
no not only own same too very just also even still ever never now
all any both each few more most other others another some such many much several
get gets got getting
s t re ve ll d m im ive dont didnt doesnt isnt wasnt cant couldnt wouldnt havent hasnt
"""
RUSSIAN: Final = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне
было вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас
нибудь вам ведь там потом себя ей они тут где есть надо ней для мы тебя их чем была сам чтоб
без будто чего тоже себе под будет тогда кто этот того потому этого какой ним здесь этом мой
тем чтобы нее были куда зачем при об это эта эти мои твой наш ваш который которая которые
"""
GERMAN: Final = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
und oder aber denn sondern doch auch noch nur schon sehr so wie als wenn weil dass ob da dann
damit dabei dazu davon darauf darüber dafür
ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich
mein meine meinen meinem meiner dein deine deinen deinem deiner sein seine seinen seinem seiner
ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer eure
ist sind war waren bin bist wird werden wurde wurden worden würde würden sei wäre
hat habe haben hast hatte hatten
kann können konnte könnte muss müssen musste soll sollen sollte will wollen wollte darf dürfen
möchte
in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter um durch gegen
ohne bis seit zwischen während ins ans
nicht nichts mehr man wer wen wem was wo wann warum wieso wohin woher
welche welcher welches welchen welchem
dieser diese dieses diesen diesem jeder jede jedes jeden jedem alle alles allen aller
viel viele vielen hier dort jetzt nun also etwas wieder immer ja
"""
# "été" is missing on purpose, as it is also the summer; "es", as it tells Spanish from French.
FRENCH: Final = """
le la les un une des du de et ou mais donc ni car
que qui quoi dont où quand comment pourquoi combien quel quelle quels quelles lequel laquelle
je tu il elle on nous vous ils elles me te se lui leur leurs moi toi soi eux y en
ce cet cette ces ça cela ceci celui celle ceux celles
mon ma mes ton ta tes son sa ses notre nos votre vos
est suis sommes êtes sont était étaient étais étions étiez être sera seront serait soit fut
ai as a avons avez ont avait avaient avais avoir aura aurait eu
peut peux peuvent pouvons pouvez doit dois doivent
à au aux avec sans pour par sur sous dans chez vers entre depuis pendant avant après contre dès
jusque lors lorsque puisque
ne pas plus moins très aussi bien si comme même encore déjà toujours jamais rien alors ainsi
puis tout toute tous toutes autre autres chaque quelque quelques là ici
c d j l m n s t qu jusqu lorsqu puisqu
"""
SPANISH: Final = """
el la los las un una unos unas lo al del de y e o u pero sino ni
que quien quienes cual cuales cuando donde como porque cuanto cuanta cuantos cuantas
yo tú él ella ello nosotros nosotras vosotros usted ustedes ellos ellas
me te se nos os le les mí ti sí si
mi mis tu tus su sus nuestro nuestra nuestros nuestras
es son soy eres somos era eran fue fueron fui ser sido siendo sea sean será serán sería
está están estoy estás estamos estaba estaban estar
he has ha hemos han había habían haber hay tiene tienen tengo tenemos tenía
puede pueden puedo podemos debe deben
a ante bajo con contra desde en entre hacia hasta para por según sin sobre tras durante
no ya muy más menos también tampoco así aún todavía siempre nunca nada algo cada
otro otra otros otras todo toda todos todas mismo misma
este esta estos estas ese esa esos esas aquel aquella esto eso aquello aquí ahí allí
entonces luego pues tan tanto mucho mucha muchos muchas
"""
# They stand in texts of other languages too, English ones above all: as words, in names such as
# "Las Vegas", in code such as "dir".
AMBIGUOUS: Final = """
all but her most not once or
alle allen ans aus bei bin bis da dem den der des die dir du er es fur hast hat ins ist ja man mir
mit nun ob sei um von vor war weil zu
ai au aura aux ca car chez comment contre de des dont du en encore entre est et eu fut il la le
les ma moi mon ne ni nos notre ou par pas pendant plus pour rien sa sans se sera ses si soi son
sous sur ta te tes ton tout un vers vos vous
al algo ante como con contra del el era ha han hay las lo los mi mis nada os para sea ser sin so
su sus tan ti todo todos tu una ya yo
"""
